import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { fleetHtml, fleetReport, fleetSite } from "@assay/fleet";
import { generateSigningKey, readSigningKey } from "@assay/fleet/hallmark";
import { matrixPage } from "@assay/matrix";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sourceOf, verdictsNow } from "../../packages/fleet/src/site/fleet.fixture.ts";
import { sampleMatrix } from "../../packages/matrix/src/document/sample.fixture.ts";
import { expectAccessible } from "./axe.fixture.ts";
import { hasBrowser, useBrowser } from "./chromium.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-sites-"));
const { pem } = await generateSigningKey("EdDSA");
const signing = { key: await readSigningKey(pem), issuer: "Registry", days: 90, revoked: new Set<string>() };
const openPage = useBrowser();
beforeAll(async () => {
  writeFileSync(join(folder, "matrix.html"), matrixPage(sampleMatrix(), sampleMatrix()));
  const report = await fleetReport(sourceOf(), { version: "1.2.3" });
  const options = { now: new Date("2026-11-16T08:00:00Z"), contact: "https://registry.example/contact", signing };
  for await (const [path, text] of fleetSite(report, sourceOf(), options)) {
    mkdirSync(dirname(join(folder, "fleet", path)), { recursive: true });
    writeFileSync(join(folder, "fleet", path), text);
  }
  writeFileSync(join(folder, "fleet.html"), fleetHtml(report));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Two screens in two themes. */
const screens = [
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const;

async function opened(file: string, { width, colorScheme }: (typeof screens)[number]): Promise<Page> {
  const page = await openPage({ viewport: { width, height: 844 }, colorScheme });
  await page.goto(pathToFileURL(join(folder, file)).href);
  return page;
}

/** Nothing but code scrolls sideways, neither the page nor a part of it. */
async function expectNarrow(page: Page): Promise<void> {
  const wide = await page.evaluate(`[...document.querySelectorAll("main, main *:not(pre, pre *, .away, thead)")]
    .filter((element) => getComputedStyle(element).overflowX !== "visible")
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    .map((element) => element.outerHTML.slice(0, 120))`);
  expect(wide).toEqual([]);
}

/** Nothing is in the way of any reader, nothing failed to load, and on a phone nothing scrolls sideways. */
async function expectFits(page: Page, { width }: (typeof screens)[number]): Promise<void> {
  await expectAccessible(page);
  if (width < 500) await expectNarrow(page);
  expect(await page.locator(".trouble").count()).toBe(0);
}

describe.runIf(hasBrowser).each(screens)("from a file, $width px wide, $colorScheme", (screen) => {
  test("the matrix: all of its parts are there, can be read by all, and fit", async () => {
    const page = await opened("matrix.html", screen);
    await page.getByText("20 of 28 passed").waitFor();
    const headings = await page.getByRole("heading", { level: 2 }).allTextContents();
    expect(headings).toEqual(expect.arrayContaining(["Failures by cause", "Participants"]));
    const links = await page.locator("main a").evaluateAll((all) => all.map((link) => link.getAttribute("href")!));
    expect(links.length).toBeGreaterThan(8);
    for (const link of new Set(["#/matrix/matrix", ...links])) {
      // The page draws in the handler of this event, so two frames later it is drawn.
      await page.evaluate(`new Promise((drawn) => {
          if (location.hash === ${JSON.stringify(link)}) drawn();
          addEventListener("hashchange", () => requestAnimationFrame(() => requestAnimationFrame(drawn)), { once: true });
          location.hash = ${JSON.stringify(link)};
        })`);
      await page.locator("h1").first().waitFor();
      await expectFits(page, screen);
    }
  });

  test("the fleet: its index and a page of each agent are there, can be read by all, and fit", async () => {
    const page = await opened("fleet/index.html", screen);
    await page.getByRole("heading", { level: 1, name: "3 of 6 agents work without a broken rule" }).waitFor();
    const headings = await page.getByRole("heading", { level: 2 }).allTextContents();
    expect(headings).toEqual([
      "Since 2026-11-15 02:00 UTC",
      "Most common failures",
      "Why the other agents do not count as working",
      "By SDK",
      "League",
    ]);
    await expectFits(page, screen);
    await page.getByLabel("class", { exact: true }).selectOption("rules-broken");
    await page.getByText("1 to 1 of 1").waitFor();
    const links = await page.locator("main a[href^='agents/']").evaluateAll((all) => all.map((link) => `${link}`));
    await page.getByLabel("class", { exact: true }).selectOption("");
    await page.getByText(`1 to ${verdictsNow.length} of ${verdictsNow.length}`).waitFor();
    const all = await page.locator("th a[href^='agents/']").evaluateAll((found) => found.map((link) => `${link}`));
    expect(all).toEqual(expect.arrayContaining(links));
    for (const link of all) {
      await page.goto(link);
      await page.getByRole("heading", { name: "Is this your agent?" }).waitFor();
      await expectFits(page, screen);
    }
    await page.getByRole("link", { name: "A2A agents of registry" }).click();
    await page.getByRole("heading", { name: "League" }).waitFor();
  });

  test("the fleet as one page", async () => {
    const page = await opened("fleet.html", screen);
    await page.getByRole("heading", { name: "League" }).waitFor();
    await expectFits(page, screen);
    expect(await page.locator("main a[href^='agents/']").count()).toBe(0);
  });
});
