import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { runThatSays } from "../../packages/reporters/src/hostile.fixture.ts";
import { brokenProperty, sampleRun, sampleWith } from "../../packages/reporters/src/sample.fixture.ts";
import { expectAccessible } from "./axe.fixture.ts";
import { hasBrowser } from "./chromium.fixture.ts";
import { useReportPages } from "./report-page.fixture.ts";

// A smoke test of the report; report-page.long.test.ts has the rest.

describe.runIf(hasBrowser)("an HTML report, opened from disk", () => {
  const reports = useReportPages();
  let page: Page;
  beforeAll(async () => {
    page = await reports.newPage();
  });

  test("says who was tested, what came of it, and by what it was tested", async () => {
    await reports.open(sampleRun, { on: page });
    expect(await page.title()).toBe("not conformant: Weather Agent · Assay");
    expect(await page.textContent(".answer")).toMatch(
      /not conformant.*3 rules broken.*Weather Agent 2\.3\.0.*http:\/\/127\.0\.0\.1:9999.*Level partial.*examined 23 of 31 rules/s,
    );
    expect(await page.locator(".legend li").allTextContents()).toEqual([
      "5 failed",
      "3 blocked",
      "1 not judged",
      "43 passed",
      "10 not examined",
      "6 not applicable",
    ]);
    expect(await page.locator(".about", { hasText: "About this run" }).textContent()).toMatch(
      /interface.*JSON-RPC 1\.0 at.*rules 1\.0.*run/s,
    );
    expect(await page.locator("nav.rail, .address").count()).toBe(0);
  });

  test("shows what to fix first, down to the marked bytes", async () => {
    await reports.open(sampleRun, { on: page });
    expect(await page.textContent(".finding h2")).toContain("GetTask answers -32603 for an unknown task");
    expect(await page.textContent(".proof")).toMatch(/rule.*§5\.4.*want.*-32001.*fix.*TaskNotFoundError/s);
    expect(await page.textContent(".repeat")).toContain("curl -s http://127.0.0.1:9999/");
    expect(await page.textContent(".more")).toMatch(/blocks 3 results/);
    expect(await page.textContent(".sides mark")).toBe('"code": -32603, ◀');
    await expectAccessible(page);
    await page.locator(".finding-line", { hasText: "STREAM-003" }).click();
    await page.waitForSelector(".dot.wrong");
    expect(page.url()).toMatch(/#\/runs\/[^/]+\/rule\/STREAM-003/);
    await page.reload();
    await page.waitForSelector(".dot.wrong");
  });

  test("shows both ends of a gateway side by side, with the difference marked", async () => {
    await reports.open(sampleWith([brokenProperty]), { on: page });
    await page.waitForSelector(".compared mark");
    const ends = page.locator(".compared .sides > div");
    expect(await ends.locator("h4").allTextContents()).toEqual(["the agent sent", "the client received"]);
    expect(await ends.locator(".shows").allTextContents()).toEqual(["HTTP 404", "HTTP 502"]);
    expect(await ends.locator("summary mark").count()).toBe(2);
    await expectAccessible(page);
  });

  test("text from an agent never runs or becomes an element", async () => {
    const hostile = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">";
    await reports.open(runThatSays(hostile), { on: page });
    expect(await page.textContent(".finding h2")).toContain("</script><script>");
    expect(await page.title()).not.toBe("taken");
    expect(await page.locator("img, iframe, object, #page script").count()).toBe(0);
  });
});
