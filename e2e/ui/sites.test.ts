import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { matrixPage } from "@assay/matrix";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleMatrix } from "../../packages/matrix/src/document/sample.case.ts";
import { expectAccessible } from "./axe.case.ts";
import { hasBrowser } from "./ui.case.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-sites-"));
let browser: Browser | undefined;
beforeAll(async () => {
  writeFileSync(join(folder, "matrix.html"), matrixPage(sampleMatrix(), sampleMatrix()));
  if (hasBrowser)
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Two screens in two themes. */
const screens = [
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
] as const;

/** Opens a file, and gives what the browser complains of. */
async function opened(
  file: string,
  { width, colorScheme }: (typeof screens)[number],
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const context = await browser!.newContext({ viewport: { width, height: 844 }, colorScheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(pathToFileURL(join(folder, file)).href);
  return { page, complaints };
}

/** Nothing but code scrolls sideways, neither the page nor a part of it. */
async function expectNarrow(page: Page): Promise<void> {
  const wide = await page.evaluate(`[...document.querySelectorAll("main, main *:not(pre, pre *, .away, thead)")]
    .filter((element) => getComputedStyle(element).overflowX !== "visible")
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    .map((element) => element.outerHTML.slice(0, 120))`);
  expect(wide).toEqual([]);
}

describe.runIf(hasBrowser).each(screens)(
  "from a file, $width px wide, $colorScheme",
  { timeout: 120_000 },
  (screen) => {
    test("the matrix: all of its parts are there, can be read by all, and fit", async () => {
      const { page, complaints } = await opened("matrix.html", screen);
      await page.getByText("20 of 28 passed").waitFor();
      const headings = await page.getByRole("heading", { level: 2 }).allTextContents();
      expect(headings).toEqual(expect.arrayContaining(["What is red, by what causes it", "What took part"]));
      const links = await page.locator("main a").evaluateAll((all) => all.map((link) => link.getAttribute("href")!));
      expect(links.length).toBeGreaterThan(8);
      for (const link of ["#/matrix/matrix", ...new Set(links)]) {
        await page.evaluate(`location.hash = ${JSON.stringify(link)}`);
        await page.locator("h1").first().waitFor();
        await page.waitForTimeout(50);
        await expectAccessible(page);
        if (screen.width < 500) await expectNarrow(page);
        expect(await page.locator(".trouble").count()).toBe(0);
      }
      expect(complaints).toEqual([]);
    });
  },
);
