// One article: to read, and to take along.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { ids } from "../harness.mjs";

export default {
  "a hit leads to its article and back": async (t) => {
    const page = await t.open("/?q=statins+muscle+pain");
    const link = page.locator(".hit h2 a").first();
    const title = await link.textContent();
    const [id] = await ids(page);
    await link.click();
    await page.waitForURL(`**/articles/${id}?*`);
    assert.equal(await page.locator("h1").textContent(), title);
    assert.ok((await page.locator(".reading-text p").count()) > 0);
    assert.ok((await page.getByRole("heading", { name: "MeSH headings" }).count()) === 1);
    assert.ok((await page.locator(".similar li a").count()) >= 5);
    await page.getByRole("link", { name: "← Back to the results" }).click();
    await page.waitForURL("**/?q=statins+muscle+pain*");
    assert.equal((await ids(page))[0], id);
  },

  "sections, subjects and references are shown": async (t) => {
    const page = await t.open("/articles/990000001");
    const labels = await page.locator(".reading-text .label").allTextContents();
    assert.ok(labels.length >= 3, labels.join());
    assert.ok((await page.locator(".terms .major").count()) > 0);
    await page.getByText(/^References \(\d+\)$/).click();
    assert.ok((await page.locator(".references li").first().isVisible()));
    // A work that the index holds is read here.
    await page.locator(".references a[href^='/articles/']").first().click();
    await page.waitForURL("**/articles/99*");
  },

  "who cites an article is listed": async (t) => {
    const page = await t.open("/articles/990000003");
    const cited = page.locator("section.cited");
    assert.match(await cited.getByRole("heading").textContent(), /^Cited by \(\d+\)$/);
    const first = cited.locator("li a").first();
    const title = await first.textContent();
    await first.click();
    await page.waitForURL("**/articles/99*");
    assert.equal(await page.locator("h1").textContent(), title);
  },

  "a retraction stands at the top": async (t) => {
    const page = await t.open("/articles/990000035");
    const notice = page.getByRole("complementary", { name: "Retraction" });
    assert.match(await notice.textContent(), /has been retracted/);
    await t.shot(page, "retracted");
  },

  "the citation is copied": async (t) => {
    const page = await t.open("/articles/990000001", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.getByRole("button", { name: "Copy citation" }).click();
    await page.getByText("Copied", { exact: true }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await page.locator("#citation-text").textContent());
    assert.ok(copied.length > 40);
  },

  "the citation and the entities are taken as files": async (t) => {
    const page = await t.open("/articles/990000001");
    for (const [name, sign] of [
      ["NBIB", /^PMID- 990000001/m],
      ["RIS", /^TY {2}- /m],
      ["BibTeX", /^@article\{/m],
      ["CSL-JSON", /"title"/],
      ["PubTator", /^990000001\|t\|/m],
      ["BioC", /"passages"/],
    ]) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator(".downloads").getByRole("link", { name }).click(),
      ]);
      assert.match(await readFile(await download.path(), "utf8"), sign, name);
    }
  },

  "what is not there is said": async (t) => {
    const page = await t.open("/articles/1");
    await page.getByRole("heading", { name: "Not here" }).waitFor();
    await t.go(page, "/?q=asthma&limit=0");
    const message = page.getByRole("alert");
    assert.match(await message.textContent(), /limit/);
    assert.equal(await page.locator("#q").inputValue(), "asthma");
  },
};
