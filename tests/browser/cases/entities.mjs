// Marked entities, in hits and in articles.

import assert from "node:assert/strict";
import { ids, parameters } from "../harness.mjs";

const PLAIN = "/?q=statins+muscle+pain";

// What the style sheet shows of an entity's title where the keyboard is.
const tip = (entity) =>
  entity.evaluate((marked) => {
    const shown = getComputedStyle(marked, "::after");
    return { content: shown.content, position: shown.position };
  });

export default {
  "the switch marks them, on every page from there, and takes them off": async (t) => {
    const page = await t.open(PLAIN);
    assert.equal(await page.locator("abbr.entity").count(), 0);
    const listed = await ids(page);
    await page.getByRole("link", { name: "Mark entities" }).click();
    await page.waitForURL("**enrich=entities*");
    assert.deepEqual(await ids(page), listed);
    const legend = page.getByRole("list", { name: "Types of entities" });
    const types = await legend.getByRole("listitem").allTextContents();
    assert.ok(types.includes("Disease"), types.join());
    const marked = page.locator(".snippet abbr.entity");
    assert.ok((await marked.count()) > 0);
    await t.shot(page, "entities");

    // The next page, an article and the list again keep them.
    await page.getByRole("link", { name: "Next →" }).click();
    await page.waitForURL("**offset=10*");
    assert.equal(parameters(page).enrich, "entities");
    await page.goBack();
    await page.locator(".hit h2 a").first().click();
    await page.locator("#title").waitFor();
    assert.ok((await page.locator(".reading-text abbr.entity").count()) > 0);
    await t.shot(page, "article entities");
    await page.getByRole("link", { name: "Do not mark entities" }).click();
    await page.waitForURL((url) => !url.searchParams.has("enrich"));
    assert.equal(await page.locator("abbr.entity").count(), 0);
    await page.getByRole("link", { name: "Mark entities" }).click();
    await page.getByRole("link", { name: "← Back to the results" }).click();
    await page.waitForURL("**/?q=*enrich=entities*");
    // A new search keeps them too.
    await page.locator("#q").fill("muscle weakness");
    await page.locator("#q").press("Enter");
    await page.waitForURL("**q=muscle+weakness*");
    assert.equal(parameters(page).enrich, "entities");
  },

  "the keyboard shows the concept": async (t) => {
    const page = await t.open("/?q=asthma&enrich=entities");
    const stop = page.locator(".snippet abbr.entity[tabindex]").first();
    await stop.waitFor();
    assert.match(await stop.getAttribute("title"), /^\w+ · MESH:[CD]\d+ \S/);
    assert.match((await tip(stop)).content, /^none|normal$/);
    // By the tabulator alone, from the link before it.
    const hit = page.locator(".hit").filter({ has: page.locator(".snippet abbr[tabindex]") }).first();
    await hit.locator("h2 a").focus();
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press("Tab");
      if (await stop.evaluate((marked) => marked === document.activeElement)) break;
    }
    const shown = await tip(stop);
    assert.match(shown.content, /MESH:[CD]\d+/);
    assert.equal(shown.position, "absolute");
    await t.shot(page, "entity by keyboard");
  },

  "found words stay readable within them": async (t) => {
    const page = await t.open(`${PLAIN}&enrich=entities`);
    const both = page.locator("abbr.entity mark").first();
    const colours = await both.evaluate((mark) => {
      const plain = document.createElement("mark");
      document.querySelector(".lead, .summary").append(plain);
      const [own, other] = [getComputedStyle(mark), getComputedStyle(plain)];
      const line = getComputedStyle(mark.closest("abbr")).textDecorationLine;
      return [own.color === other.color, own.backgroundColor === other.backgroundColor, line];
    });
    assert.deepEqual(colours, [true, true, "underline"]);
  },

  "a name leads to a search for it": async (t) => {
    const page = await t.open(`${PLAIN}&enrich=entities`);
    const name = page.locator(".entities dd a").first();
    const text = await name.textContent();
    await name.click();
    await page.waitForURL("**/?q=%22*");
    assert.equal(parameters(page).q, `"${text}"`);
    assert.ok((await ids(page)).length > 0);
  },
};
