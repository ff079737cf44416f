// Stored text that tries to be markup is text: in hits, articles, attributes,
// titles of windows, suggestions and answers.

import assert from "node:assert/strict";

const EVIL = "<script>window.hit=1</script><img src=x onerror=\"window.hit=2\">";
const QUESTION = "what is xylophonia of marmots?";

async function untouched(page, what) {
  assert.equal(await page.evaluate(() => window.hit), undefined, what);
  const scripts = page.locator("script");
  assert.equal(await scripts.count(), 1, what);
  assert.match(await scripts.getAttribute("src"), /^\/assets\/page\.js\?/);
  assert.equal(await page.locator("img, iframe, object, [onerror]").count(), 0, what);
  assert.equal(await page.locator("a[href^='javascript']").count(), 0, what);
}

export default {
  "in hits, with entities, and in an answer": async (t) => {
    // The only article in Icelandic is the one that is read for the answer.
    const query = `q=${encodeURIComponent(QUESTION)}&language=ice`;
    const page = await t.open(`/?${query}&enrich=entities&explain=true`);
    const hit = page.locator(".hit", { hasText: "marmots" }).first();
    assert.ok((await hit.locator("h2").textContent()).includes(EVIL));
    await page.locator("#answer[data-state='found']").waitFor();
    for (const fold of await page.locator("#answer summary").all()) await fold.click();
    const answers = await page.locator("#answer").textContent();
    assert.ok(answers.includes(EVIL), answers);
    assert.ok((await page.locator("#answer .evidence").first().textContent()).includes("<script>"));
    await untouched(page, "results");
    await t.shot(page, "hostile results");
  },

  "in the query, the title of the window and the form": async (t) => {
    const page = await t.open(`/?q=${encodeURIComponent(EVIL)}`);
    assert.equal(await page.locator("#q").inputValue(), EVIL);
    assert.ok((await page.title()).startsWith(EVIL));
    await untouched(page, "query");
    const other = await t.open(`/?q=a&${encodeURIComponent(EVIL)}=1`);
    assert.ok((await other.getByRole("alert").textContent()).includes("<script>"));
    await untouched(other, "error");
  },

  "in an article and its attributes": async (t) => {
    const page = await t.open("/?q=xylophonia");
    await page.locator(".hit h2 a").first().click();
    await page.locator("#title").waitFor();
    assert.ok((await page.locator("h1").textContent()).includes(EVIL));
    assert.ok((await page.locator(".article-head cite").getAttribute("title")).includes(EVIL));
    for (const fold of await page.locator("main details > summary").all()) await fold.click();
    await untouched(page, "article");
    await t.shot(page, "hostile article");
  },

  "in suggestions": async (t) => {
    const page = await t.open("/");
    await page.locator("#q").pressSequentially("Xylophonic");
    const option = page.getByRole("option", { name: /Xylophonic/ }).first();
    await option.waitFor();
    assert.ok((await page.locator("#suggestions").textContent()).includes(EVIL));
    await untouched(page, "suggestions");
  },
};
