// The box that answers a question.

import assert from "node:assert/strict";
import { ids } from "../harness.mjs";

const QUESTION = "/?q=do+statins+cause+muscle+pain%3F";
const ASKED = "**/v1/answer?*";

const state = (page) => page.locator("#answer-state");

export default {
  "the hits are there before the answer, which shows its evidence": async (t) => {
    const page = await t.open("/");
    let go;
    const held = new Promise((resolve) => {
      go = resolve;
    });
    await page.route(ASKED, async (route) => {
      await held;
      await route.continue();
    });
    await t.go(page, QUESTION);
    assert.equal((await ids(page)).length, 10);
    assert.match(await state(page).textContent(), /Reading the best articles/);
    await t.shot(page, "answer awaited");
    go();
    await page.locator("#answer[data-state='found']").waitFor();

    const verdict = page.locator("#answer .verdict");
    assert.match(await verdict.locator("p").textContent(), /supports? it.*opposes? it.*decide it/);
    const evidence = page.locator("#answer .answers > li .evidence").first();
    const span = await evidence.locator("strong").textContent();
    assert.ok(span.length > 0 && (await evidence.textContent()).includes(span));
    const source = page.locator("#answer .source").first();
    assert.match(await source.textContent(), /confidence \d+ %/);
    assert.match(await page.locator("#answer .how").textContent(), /by answers and verdict over/);
    await t.shot(page, "answer");

    // The span is what the server names, and the link leads to the article.
    const found = await page.evaluate(async () => {
      const box = document.getElementById("answer");
      return (await fetch(box.dataset.ask)).json();
    });
    assert.equal(span, found.answers[0].text);
    await source.getByRole("link").first().click();
    await page.waitForURL(`**/articles/${found.answers[0].id}?*`);
    const words = (text) => text.replaceAll(/\s+/g, " ");
    assert.ok(words(await page.locator("article").innerText()).includes(words(span)));
    await page.getByRole("link", { name: "← Back to the results" }).click();
    await page.waitForURL("**/?q=do+statins*");
  },

  "places are characters, not units of strings": async (t) => {
    const page = await t.open("/");
    const text = "𝛼-blockers 😀 caused <b>pain</b> in 4.";
    const start = Array.from(text.slice(0, text.indexOf("<b>"))).length;
    await page.route(ASKED, (route) =>
      route.fulfill({
        json: {
          question: "", read: 1, model: "m", head: "h", took: { total_ms: 1 },
          answers: [{
            id: "a/b?c", title: "<img src=x onerror='window.hit=1'>", retracted: true, year: 1999,
            start: 7 + start, end: 7 + start + 11, text: "<b>pain</b>", confidence: 0.5,
            evidence: { start: 7, end: 7 + Array.from(text).length, text }, also_in: ["7", "8"],
          }],
        },
      }),
    );
    await t.go(page, QUESTION);
    await page.locator("#answer[data-state='found']").waitFor();
    assert.equal(await page.locator("#answer .evidence").textContent(), text);
    assert.equal(await page.locator("#answer .evidence strong").textContent(), "<b>pain</b>");
    assert.equal(await page.locator("#answer img, #answer b").count(), 0);
    const href = await page.locator("#answer .source a").first().getAttribute("href");
    assert.match(href, /^\/articles\/a%2Fb%3Fc\?q=/);
    assert.equal(await page.locator("#answer .alarm").textContent(), "Retracted");
  },

  "no answer is said": async (t) => {
    const page = await t.open("/");
    await page.route(ASKED, (route) =>
      route.fulfill({
        json: {
          answers: [], message: "no answer found in the 10 articles that were read", read: 10,
          model: "m", head: "h", took: { total_ms: 1 },
        },
      }),
    );
    await t.go(page, QUESTION);
    await page.locator("#answer[data-state='none']").waitFor();
    assert.match(await state(page).textContent(), /^No answer found in the 10 articles/);
    assert.equal((await ids(page)).length, 10);
    await t.shot(page, "answer none");
  },

  "a server that is busy is said, and asked again": async (t) => {
    const page = await t.open("/");
    let asked = 0;
    await page.route(ASKED, async (route) => {
      asked += 1;
      if (asked > 1) return route.continue();
      const error = { code: "busy", message: "too many requests <b>wait</b>", field: null };
      await route.fulfill({ status: 503, json: { error } });
    });
    await t.go(page, QUESTION);
    await page.locator("#answer[data-state='failed']").waitFor();
    assert.match(await state(page).textContent(), /just now: too many requests <b>wait/);
    assert.equal((await ids(page)).length, 10);
    await t.shot(page, "answer failed");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("#answer[data-state='found']").waitFor();
  },

  "words that ask nothing have no box": async (t) => {
    const page = await t.open("/?q=statins+muscle+pain");
    assert.equal(await page.locator("#answer").count(), 0);
    await t.go(page, `${QUESTION}&offset=10`);
    assert.equal(await page.locator("#answer").count(), 0);
  },
};
