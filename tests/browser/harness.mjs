// One browser for all cases, and what every page is watched for.

import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const modules = process.env.MEDSIFT_TEST_NODE_MODULES || here;
const require = createRequire(path.join(modules, "package.json"));
const { chromium } = require("playwright-core");
const AXE = require.resolve("axe-core/axe.min.js");
const root = path.resolve(here, "../..");
const SHOTS = path.resolve(root, process.env.MEDSIFT_TEST_SCREENSHOTS || "target/browser");

// Waits of a machine that is busy with something else.
const PATIENCE = 60_000;

// The rules of WCAG 2.0, 2.1 and 2.2, levels A and AA.
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

export class Harness {
  static async start(url) {
    const browser = await chromium.launch({
      executablePath: process.env.MEDSIFT_TEST_CHROMIUM || "/usr/bin/chromium",
      chromiumSandbox: false,
      timeout: PATIENCE,
    });
    await mkdir(SHOTS, { recursive: true });
    return new Harness(browser, new URL(url).origin);
  }

  constructor(browser, origin) {
    this.browser = browser;
    this.origin = origin;
  }

  async stop() {
    await this.browser.close();
  }

  // Runs a case; gives what it and its pages have to complain of.
  async check(name, body) {
    const one = new Case(this, name);
    try {
      await body(one);
    } catch (error) {
      one.faults.push(error.stack || error);
      await one.shootAll().catch(() => {});
    }
    await one.close();
    return one.faults;
  }
}

class Case {
  constructor(harness, name) {
    this.harness = harness;
    this.name = name;
    this.faults = [];
    this.contexts = [];
  }

  // A page of a browser that remembers nothing, at an address of the server.
  async open(address, options = {}) {
    const context = await this.harness.browser.newContext({
      viewport: { width: 1100, height: 800 },
      ...options,
    });
    this.contexts.push(context);
    context.setDefaultTimeout(PATIENCE);
    context.on("request", (request) => this.watch(request.url()));
    const page = await context.newPage();
    page.on("pageerror", (error) => this.faults.push(`script: ${error}`));
    page.on("console", (message) => {
      // A page about an error has a status of one.
      const expected = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !expected) {
        this.faults.push(`console: ${message.text()}`);
      }
    });
    await this.go(page, address);
    return page;
  }

  async go(page, address) {
    await page.goto(this.harness.origin + address, { waitUntil: "load" });
  }

  // Nothing is asked of another host.
  watch(address) {
    const { origin, protocol } = new URL(address);
    const inside = origin === this.harness.origin || protocol === "data:" || protocol === "blob:";
    if (!inside) this.faults.push(`a request to ${address}`);
  }

  async shot(page, name) {
    const file = `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`;
    await page.screenshot({ path: path.join(SHOTS, file), fullPage: true });
  }

  async shootAll() {
    for (const [at, context] of this.contexts.entries()) {
      for (const page of context.pages()) await this.shot(page, `failed ${this.name} ${at}`);
    }
  }

  // What axe finds against WCAG 2 A and AA.
  async axe(page, what) {
    // The policy of the page forbids scripts that are not the server's own; the
    // debugger's are not asked.
    if (!(await page.evaluate(() => "axe" in window))) {
      const debug = await page.context().newCDPSession(page);
      const { readFile } = await import("node:fs/promises");
      await debug.send("Runtime.evaluate", { expression: await readFile(AXE, "utf8") });
      await debug.detach();
    }
    const found = await page.evaluate(
      (values) => window.axe.run({ runOnly: { type: "tag", values } }),
      RULES,
    );
    for (const violation of found.violations) {
      const nodes = violation.nodes.map((node) => `${node.html}\n    ${node.failureSummary}`);
      this.faults.push(`axe, ${what}: ${violation.id}: ${violation.help}\n  ${nodes.join("\n  ")}`);
    }
    if (found.passes.length === 0) this.faults.push(`axe, ${what}: no rule was tried`);
  }

  async close() {
    for (const context of this.contexts) await context.close();
  }
}

// Numbers in the title of each hit's link: the articles of a list, in order.
export async function ids(page) {
  const links = await page.locator(".hits .hit h2 a").evaluateAll((all) =>
    all.map((link) => decodeURIComponent(new URL(link.href).pathname.split("/").pop())),
  );
  return links;
}

export function parameters(page) {
  return Object.fromEntries(new URL(page.url()).searchParams);
}
