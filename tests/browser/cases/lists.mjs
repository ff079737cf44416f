// Narrowing, ordering, paging and taking along a list.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { ids, parameters } from "../harness.mjs";

async function articles(page) {
  const range = await page.locator(".summary .range").textContent();
  return Number(/of (?:the best )?([\d,]+)/.exec(range)[1].replaceAll(",", ""));
}

export default {
  "filters are set and lifted": async (t) => {
    const page = await t.open("/?q=treatment");
    const all = await articles(page);
    await page.getByText("Filters", { exact: true }).click();
    await page.getByLabel("From", { exact: true }).fill("2020");
    await page.getByLabel("Hide retracted").check();
    await page.getByRole("button", { name: "Apply" }).click();
    await page.waitForURL("**year_from=2020*");
    const chips = page.getByRole("list", { name: "Filters in force" });
    assert.equal(await chips.getByRole("link").count(), 2);
    const filtered = await articles(page);
    assert.ok(filtered < all, `${filtered} of ${all}`);
    await chips.getByRole("link", { name: "Remove filter: From 2020" }).click();
    await page.waitForURL((url) => !url.searchParams.has("year_from"));
    assert.equal(parameters(page).retracted, "false");
    assert.ok((await articles(page)) > filtered);
  },

  "a facet narrows and is lifted": async (t) => {
    const page = await t.open("/?q=treatment");
    await page.getByText("Journals, types and subjects").click();
    const facet = page.locator(".facet", { hasText: "Publication type" });
    const first = facet.getByRole("link").nth(1);
    const name = (await first.textContent()).trim();
    await first.click();
    await page.waitForURL("**publication_type=*");
    assert.equal(parameters(page).publication_type, name);
    await page.getByText("Journals, types and subjects").click();
    await facet.locator("a[aria-current]").click();
    await page.waitForURL((url) => !url.searchParams.has("publication_type"));
  },

  "a bar of the histogram leads to its years": async (t) => {
    const page = await t.open("/?q=treatment");
    const bar = page.getByRole("list", { name: "Articles by year" }).getByRole("link").last();
    const [, from, to, count] = /(\d{4})(?:–(\d{4}))?: (\d+) article/.exec(
      await bar.getAttribute("title"),
    );
    await bar.click();
    await page.waitForURL("**year_from=*");
    const { year_from, year_to } = parameters(page);
    assert.deepEqual([year_from, year_to], [from, to || from]);
    assert.equal(await articles(page), Number(count));
  },

  "a list by date begins with the newest": async (t) => {
    const page = await t.open("/?q=treatment");
    await page.locator(".order a").click();
    await page.waitForURL("**sort=date*");
    assert.equal(await page.locator(".order b").textContent(), "date");
    const citations = await page.locator(".hits .citation").allTextContents();
    const years = citations.map((text) => Number(/\b(19|20)\d\d\b/.exec(text)[0]));
    assert.deepEqual(years, [...years].sort((a, b) => b - a));
  },

  "pages go forth and back": async (t) => {
    const page = await t.open("/?q=treatment");
    const first = await ids(page);
    await page.getByRole("link", { name: "Next →" }).click();
    await page.waitForURL("**offset=10*");
    const second = await ids(page);
    assert.equal(second.filter((id) => first.includes(id)).length, 0);
    assert.match(await page.locator(".summary").textContent(), /11–20 of/);
    await page.getByRole("link", { name: "← Previous" }).click();
    await page.waitForURL((url) => !url.searchParams.has("offset"));
    assert.deepEqual(await ids(page), first);
  },

  "the back button brings the list back": async (t) => {
    const page = await t.open("/?q=treatment&offset=10");
    const listed = await ids(page);
    const last = page.locator(".hit h2 a").last();
    await last.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => window.scrollY);
    assert.ok(before > 200);
    await last.click();
    await page.locator("#title").waitFor();
    await page.goBack();
    assert.deepEqual(await ids(page), listed);
    assert.deepEqual(parameters(page), { q: "treatment", offset: "10" });
    assert.equal(await page.locator("#q").inputValue(), "treatment");
    // Every field can be used again, and the page stands where it stood.
    assert.equal(await page.locator("#search :disabled").count(), 0);
    await page.waitForFunction((y) => Math.abs(window.scrollY - y) < 200, before);
    // The same after a search whose empty fields were left out.
    await page.locator("#q").fill("asthma");
    await page.locator("#q").press("Enter");
    await page.waitForURL("**/?q=asthma*");
    await page.goBack();
    await page.waitForURL("**/?q=treatment*");
    assert.equal(await page.locator("#search :disabled").count(), 0);
    assert.equal(await page.locator("#search").getAttribute("aria-busy"), null);
  },

  "a whole list is exported": async (t) => {
    const page = await t.open("/?q=treatment&year_from=2019");
    const count = await articles(page);
    for (const [name, record] of [
      ["CSV", /^\d/gm],
      ["NBIB", /^PMID- /gm],
      ["RIS", /^TY {2}- /gm],
      ["JSON lines", /^\{/gm],
    ]) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator(".export").getByRole("link", { name }).click(),
      ]);
      const text = await readFile(await download.path(), "utf8");
      const records = (text.match(record) || []).length;
      assert.ok(records >= count, `${name}: ${records} records of ${count}\n${text.slice(0, 300)}`);
    }
  },
};
