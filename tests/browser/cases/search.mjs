// From the first page to hits.

import assert from "node:assert/strict";
import { ids, parameters } from "../harness.mjs";

export default {
  "words lead to hits": async (t) => {
    const page = await t.open("/");
    const box = page.getByRole("combobox", { name: "Search the literature" });
    assert.ok(await box.evaluate((field) => field === document.activeElement), "it has the focus");
    await box.fill("statins muscle pain");
    await box.press("Enter");
    await page.waitForURL("**/?q=*");
    // Fields that were left empty are not in the address.
    assert.deepEqual(parameters(page), { q: "statins muscle pain" });
    assert.match(await page.title(), /statins muscle pain/);
    assert.equal((await ids(page)).length, 10);
    assert.ok((await page.locator(".hit mark").count()) > 3);
    assert.match(await page.locator(".summary").textContent(), /1–10 of/);
  },

  "suggestions are taken by keyboard": async (t) => {
    const page = await t.open("/");
    const box = page.locator("#q");
    await box.pressSequentially("ast");
    const options = page.getByRole("option");
    await options.first().waitFor();
    assert.equal(await box.getAttribute("aria-expanded"), "true");
    await box.press("ArrowDown");
    const active = await box.getAttribute("aria-activedescendant");
    const chosen = page.locator(`#${active}`);
    assert.equal(await chosen.getAttribute("aria-selected"), "true");
    const taken = await box.inputValue();
    assert.equal(taken, await chosen.evaluate((item) => item.dataset.query));
    await t.shot(page, "suggestions");
    // Escape gives back what was typed.
    await box.press("Escape");
    assert.equal(await box.inputValue(), "ast");
    assert.ok(await page.locator("#suggestions").isHidden());
    await box.press("ArrowDown");
    await options.first().waitFor();
    await box.press("ArrowDown");
    await box.press("Enter");
    await page.waitForURL("**/?q=*");
    assert.equal(parameters(page).q, taken);
    assert.ok((await ids(page)).length > 0);
  },

  "another mode searches at once": async (t) => {
    const page = await t.open("/?q=heart+attack");
    const hybrid = await page.locator(".summary .range").textContent();
    await page.getByText("Keyword", { exact: true }).click();
    await page.waitForURL("**mode=keyword*");
    assert.ok(await page.getByRole("radio", { name: "Keyword" }).isChecked());
    const keyword = await page.locator(".summary .range").textContent();
    assert.notEqual(keyword, hybrid);
    assert.match(keyword, /that hold your words/);
  },

  "the slash goes to the box": async (t) => {
    const page = await t.open("/?q=asthma");
    await page.locator("main").focus();
    await page.keyboard.press("/");
    const selected = await page.evaluate(() => {
      const box = document.activeElement;
      return box.id === "q" && box.selectionEnd - box.selectionStart === box.value.length;
    });
    assert.ok(selected);
    assert.equal(await page.locator("#q").inputValue(), "asthma");
  },

  "a query of PubMed's language says how it was understood": async (t) => {
    const page = await t.open(`/?q=${encodeURIComponent("asthma[mh] OR statin*[tiab]")}`);
    await page.getByText("How the query was understood").click();
    const code = await page.locator(".translation code").first().textContent();
    assert.match(code, /"?asthma"?\[/i);
  },

  "the pages work without script": async (t) => {
    const page = await t.open("/", { javaScriptEnabled: false });
    await page.locator("#q").fill("do statins cause muscle pain");
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL("**/?q=*");
    assert.equal((await ids(page)).length, 10);
    const link = page.locator("#answer-state a");
    assert.match(await link.getAttribute("href"), /^\/v1\/answer\?q=do\+statins/);
    await page.locator(".hit h2 a").first().click();
    await page.locator("#title").waitFor();
    assert.ok(await page.locator("#copy-citation").isHidden());
  },

  "nothing found is followed by what comes nearest": async (t) => {
    const page = await t.open("/?q=zzqx+frumious&mode=keyword");
    await page.getByRole("heading", { name: /Nothing matches/ }).waitFor();
    const nearest = page.getByRole("region", { name: "Nearest by meaning" });
    assert.equal(await nearest.locator(".hit").count(), 5);
    await page.getByRole("link", { name: "Search by meaning as well" }).click();
    await page.waitForURL("**mode=hybrid*");
    assert.equal((await ids(page)).length, 10);
  },
};
