// Every view in light and dark, wide and on a phone, against WCAG 2 A and AA.

import assert from "node:assert/strict";

const settled = (page) => page.locator("#answer[data-state='found']").waitFor();

async function unfold(page) {
  for (const fold of await page.locator("main summary, #search summary").all()) {
    await fold.click();
  }
}

// A name, an address, and what is done before it is looked at.
const VIEWS = [
  ["home", "/"],
  ["results", "/?q=statins+muscle+pain&explain=true"],
  ["results unfolded", "/?q=treatment&retracted=false&year=1990-&language=eng", unfold],
  ["results entities", "/?q=statins+muscle+pain&enrich=entities"],
  ["results answer", "/?q=do+statins+cause+muscle+pain%3F", settled],
  ["no hits", "/?q=zzqx&mode=keyword&year=2001"],
  ["beyond the end", "/?q=asthma&mode=keyword&offset=500"],
  ["query language", `/?q=${encodeURIComponent("asthma[mh] AND nonesuchword[ti]")}`],
  ["error", "/?q=asthma&limit=0"],
  ["not here", "/articles/1"],
  ["article", "/articles/990000001?q=statins"],
  ["article unfolded", "/articles/990000061?q=statins&enrich=entities", unfold],
  ["article foreign", "/articles/990000050"],
  ["api", "/api"],
];

const wide = {};
for (const scheme of ["light", "dark"]) {
  wide[`every view is accessible, ${scheme}`] = async (t) => {
    const page = await t.open("/", { colorScheme: scheme });
    for (const [name, address, prepare] of VIEWS) {
      await t.go(page, address);
      if (prepare) await prepare(page);
      await t.axe(page, `${name}, ${scheme}`);
      await t.shot(page, `${name} ${scheme}`);
    }
  };
}

export default {
  ...wide,

  "dark mode is dark": async (t) => {
    for (const scheme of ["light", "dark"]) {
      const page = await t.open("/?q=asthma", { colorScheme: scheme });
      const [ground, ink] = await page.evaluate(() => {
        const style = getComputedStyle(document.body);
        const light = (colour) => {
          const [r, g, b] = colour.match(/\d+/g).map(Number);
          return (r + g + b) / 765;
        };
        return [light(style.backgroundColor), light(style.color)];
      });
      assert.ok(scheme === "dark" ? ground < 0.2 && ink > 0.8 : ground > 0.8 && ink < 0.3);
    }
  },

  "nothing is wider than a phone": async (t) => {
    const page = await t.open("/", {
      viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2,
    });
    for (const [name, address, prepare] of VIEWS) {
      await t.go(page, address);
      if (prepare) await prepare(page);
      const [shown, needed] = await page.evaluate(() => [
        document.documentElement.clientWidth,
        document.documentElement.scrollWidth,
      ]);
      assert.ok(needed <= shown && shown === 360, `${name}: ${needed} of ${shown}`);
      await t.shot(page, `${name} phone`);
    }
  },
};
