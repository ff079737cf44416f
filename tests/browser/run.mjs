// Drives the search page in Chromium: node run.mjs URL [PART OF A NAME]
//
// The server at URL holds the sample, the hostile article of
// tests/tests/browser.rs and a model with heads for entities, answers and
// verdicts. Each case opens pages of its own. Ends with 0 where every case holds.
//
// MEDSIFT_TEST_NODE_MODULES  folder in which package.json was installed (here)
// MEDSIFT_TEST_CHROMIUM      the browser (/usr/bin/chromium)
// MEDSIFT_TEST_SCREENSHOTS   where screenshots go (target/browser)

import { Harness } from "./harness.mjs";
import answers from "./cases/answers.mjs";
import article from "./cases/article.mjs";
import entities from "./cases/entities.mjs";
import hostile from "./cases/hostile.mjs";
import lists from "./cases/lists.mjs";
import looks from "./cases/looks.mjs";
import search from "./cases/search.mjs";

const CASES = { search, lists, article, answers, entities, hostile, looks };

const [url, part = ""] = process.argv.slice(2);
if (!url) {
  console.error("which server? node run.mjs http://127.0.0.1:8080");
  process.exit(2);
}

const harness = await Harness.start(url);
let failed = 0;
let run = 0;
for (const [group, cases] of Object.entries(CASES)) {
  for (const [name, body] of Object.entries(cases)) {
    const full = `${group}: ${name}`;
    if (!full.includes(part)) continue;
    run += 1;
    const began = Date.now();
    const faults = await harness.check(full, body);
    failed += faults.length > 0 ? 1 : 0;
    console.log(`${faults.length > 0 ? "FAILED" : "ok"} ${full} (${Date.now() - began} ms)`);
    for (const fault of faults) console.log(`  ${String(fault).replaceAll("\n", "\n  ")}`);
  }
}
await harness.stop();
console.log(`${run - failed} of ${run} cases hold`);
process.exit(failed > 0 || run === 0 ? 1 : 0);
