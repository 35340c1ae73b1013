import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { nastyStrings, runThatSays } from "../../packages/reporters/src/hostile.fixture.ts";
import {
  inTwoVersions,
  knownFaultRun,
  manyResults,
  nobodyThere,
  oneFailure,
  runFrom,
  sampleRun,
  sampleWith,
} from "../../packages/reporters/src/sample.fixture.ts";
import { expectAccessible } from "./axe.fixture.ts";
import { hasBrowser } from "./chromium.fixture.ts";
import { useReportPages } from "./report-page.fixture.ts";

describe.runIf(hasBrowser)("an HTML report, opened from disk", () => {
  const reports = useReportPages();
  let page: Page;
  beforeAll(async () => {
    page = await reports.newPage();
  });

  test("names each version that was tested, and how it is known", async () => {
    await reports.open(inTwoVersions(), { on: page });
    expect(await page.locator(".about", { hasText: "About this run" }).textContent()).toMatch(
      /version 0\.3.*known by: the endpoint knows message\/send; the card does not declare it, so it never causes a failure/,
    );
  });

  test("says which failure is the SDK's, and the workaround", async () => {
    await reports.open(knownFaultRun({ isRecognised: true }), { on: page });
    await page.locator(".finding-line", { hasText: "LIST-022" }).click();
    await page.waitForSelector(".finding .chip >> text=known fault of a2a-sdk 1.3.0, not your code");
    expect(await page.textContent(".proof")).toMatch(/ASGI middleware in front of the routes/);
    expect(await page.textContent(".notes >> nth=-1")).toContain("SDK: looks like a2a-sdk (Python)");
    await reports.open(knownFaultRun({ isRecognised: false }), { on: page });
    expect(await page.textContent(".run")).not.toContain("known SDK bug");
  });

  test("lists all failures in the order of importance, and everything else that there is to know", async () => {
    await reports.open(sampleRun, { on: page });
    expect(await page.locator(".list .scroll h2").allTextContents()).toEqual([
      "Fix first",
      "3 warnings",
      "Expected failures",
      "Not examined",
      "Notes",
    ]);
    const listed = page.locator(".list .scroll h3, .list .finding-line .which");
    expect((await listed.allTextContents()).slice(0, 5)).toEqual([
      "Blocks other rules",
      expect.stringMatching(/^ERR-020 · JSON-RPC · blocks 3 results/),
      "Outside the core",
      expect.stringMatching(/^LIST-003 /),
      expect.stringMatching(/^STREAM-003 /),
    ]);
    expect(await page.textContent(".notes >> nth=-1")).toContain("Not tested: JSON-RPC 0.2 at http://127.0.0.1:9999/");
  });

  test("results are found by word, verdict and place", async () => {
    await reports.open(sampleRun, { on: page, hash: `#/runs/${sampleRun.report.run}?tab=results` });
    await page.selectOption("select[aria-label=Verdict]", "fail");
    await page.selectOption("select[aria-label=Place]", "HTTP+JSON");
    const rows = page.locator(".result-row .which");
    for (const row of await rows.allTextContents()) expect(row).toContain("HTTP+JSON");
    await page.fill("input[type=search]", "stream-003");
    expect(await page.textContent("output")).toBe("1 result");
  });

  test("an exchange that is not in the file is not promised", async () => {
    await reports.open({ ...sampleWith([oneFailure]), events: [] }, { on: page });
    expect(await page.textContent(".finding")).toContain("does not contain the exchanges");
    expect(await page.locator(".finding .exchange, .finding .trouble").count()).toBe(0);
  });

  test("a run that reached no agent says so at once", async () => {
    await reports.open(nobodyThere, { on: page });
    expect(await page.textContent(".answer")).toMatch(/^inconclusive.*Cannot reach http:\/\/127\.0\.0\.1:9999/s);
    expect(await page.textContent(".answer")).not.toContain("0 of 0");
  });

  test("2,000 results, every fourth with an exchange: only what can be seen is drawn", async () => {
    const long = JSON.stringify({
      tasks: Array.from({ length: 60 }, (_, id) => ({ id: `task ${id}`, text: "x".repeat(80) })),
    });
    const { events } = sampleWith([]);
    const example = events.find((event) => event.event === "exchange")!;
    const results = manyResults(2000).map((result, index) =>
      index % 4 === 0
        ? { ...oneFailure, test: `ERR-1${index}`, operation: `Operation${index}`, evidence: [`y${index}`] }
        : result,
    );
    const exchanges = results.flatMap(({ evidence }) =>
      evidence.map((id) => ({
        ...example,
        id,
        entry: {
          ...example.entry,
          response: { ...example.entry.response, content: { size: 1, mimeType: "application/json", text: long } },
        },
      })),
    );
    const { report: _, ...large } = sampleWith(results);
    await reports.open(runFrom([...large.events, ...exchanges]), { on: page });
    await page.click("text=All results");
    expect(await page.textContent("output")).toBe("2000 results");
    expect(await page.locator(".virtual-row").count()).toBeLessThan(60);
  });

  /** Elements of the three views. Backticks in a sentence say "code", whoever writes them, and JSON has folds and marks. */
  const elementsOf = async (text: string): Promise<string[]> => {
    const run = runThatSays(text);
    await reports.open(run, { on: page });
    const elements: string[] = [];
    for (const tab of ["Findings", "All results", "Traffic"]) {
      await page.click(`.tabs a:text-is("${tab}")`);
      await page.waitForSelector(`.tabs a[aria-current]:text-is("${tab}")`);
      await page.waitForSelector(
        { Findings: ".finding-line", "All results": ".result-row", Traffic: ".hint, .exchange-row .what" }[tab]!,
      );
      elements.push(
        ...(await page.evaluate<string[]>(
          "[...document.querySelectorAll('body *')].map((element) => element.localName)",
        )),
      );
    }
    expect(await page.evaluate("document.title")).not.toBe("taken");
    return elements.filter((name) => !/^(code|mark)$/.test(name));
  };

  let plain: string[] | undefined;
  test.each(Object.entries(nastyStrings).filter(([, text]) => text.trim() !== ""))(
    "%s from an agent stays text",
    async (_, text) => {
      plain ??= await elementsOf("plain");
      expect(await elementsOf(text)).toEqual(plain);
    },
  );

  test("only an address on the web becomes a link", async () => {
    const linked = async (specUrl: string): Promise<(string | null)[]> => {
      await reports.open(sampleWith([{ ...oneFailure, specUrl }]), { on: page });
      return Promise.all((await page.locator(".proof a").all()).map((link) => link.getAttribute("href")));
    };
    expect(await linked("https://a2a-protocol.org/latest/#54")).toEqual(["https://a2a-protocol.org/latest/#54"]);
    for (const address of ["javascript:alert(1)", "http://a.test/", "data:text/html,x", 'https://a.test/"onclick="x'])
      expect(await linked(address)).toEqual([]);
  });

  test("without JavaScript there is a plain summary", async () => {
    const scriptless = await reports.newPage({ javaScriptEnabled: false });
    await scriptless.goto(reports.write(sampleRun));
    expect(await scriptless.locator("noscript pre").textContent()).toMatch(/not conformant: Weather Agent.*ERR-020/s);
  });

  test.each(["light", "dark"] as const)("has no serious accessibility problem (%s)", async (colorScheme) => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 780 },
    ]) {
      const examined = await reports.newPage({ colorScheme, viewport });
      for (const hash of ["", "/rule/ERR-020~1.0~JSONRPC", "?tab=results", "?tab=traffic"]) {
        await reports.open(sampleRun, { on: examined, hash: hash && `#/runs/${sampleRun.report.run}${hash}` });
        await expectAccessible(examined);
      }
      await examined.context().close();
    }
  });
});
