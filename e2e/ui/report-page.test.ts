import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nastyStrings, runThatSays } from "../../packages/reporters/src/hostile.fixture.ts";
import { html } from "../../packages/reporters/src/html.ts";
import type { Run } from "../../packages/reporters/src/run.ts";
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
import { hasBrowser } from "./ui.fixture.ts";

describe.runIf(hasBrowser)("an HTML report, opened from disk", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-report-"));
  const complaints: string[] = [];
  let browser: Browser;
  let page: Page;

  const newPage = async (options?: BrowserContextOptions): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const opened = await context.newPage();
    opened.on("pageerror", (error) => complaints.push(error.message));
    opened.on("console", (message) => complaints.push(message.text()));
    opened.on("request", (request) => {
      if (!request.url().startsWith(`file://${folder}`)) complaints.push(request.url());
    });
    return opened;
  };

  let pages = 0;
  const open = async (run: Run, { hash = "", on = page } = {}): Promise<Page> => {
    const file = join(folder, `${pages++}.html`);
    writeFileSync(file, html(run));
    await on.goto(`file://${file}${hash}`);
    await on.waitForSelector(".answer h1");
    return on;
  };

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
    page = await newPage();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });

  test("says who was tested, what came of it, and by what it was tested", async () => {
    await open(sampleRun);
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
    expect(await page.textContent(".about")).toMatch(/interface.*JSON-RPC 1\.0 at.*rules 1\.0.*run/s);
    expect(await page.locator("nav.rail, .address").count()).toBe(0);
  });

  test("names each version that was tested, and how it is known", async () => {
    await open(inTwoVersions());
    expect(await page.textContent(".about")).toMatch(
      /version 0\.3.*known by: the endpoint knows message\/send; the card does not declare it, so it never causes a failure/,
    );
  });

  test("says which failure is the SDK's, and the workaround", async () => {
    await open(knownFaultRun({ isRecognised: true }));
    await page.locator(".finding-line", { hasText: "LIST-022" }).click();
    await page.waitForSelector(".finding .chip >> text=known fault of a2a-sdk 1.3.0, not your code");
    expect(await page.textContent(".proof")).toMatch(/ASGI middleware in front of the routes/);
    expect(await page.textContent(".notes >> nth=-1")).toContain("SDK: looks like a2a-sdk (Python)");
    await open(knownFaultRun({ isRecognised: false }));
    expect(await page.textContent(".run")).not.toContain("known SDK bug");
  });

  test("lists all failures in the order of importance, and everything else that there is to know", async () => {
    await open(sampleRun);
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

  test("shows what to fix first, down to the marked bytes", async () => {
    await open(sampleRun);
    expect(await page.textContent(".finding h2")).toContain("GetTask answers -32603 for an unknown task");
    expect(await page.textContent(".proof")).toMatch(/rule.*§5\.4.*want.*-32001.*fix.*TaskNotFoundError/s);
    expect(await page.textContent(".repeat")).toContain("curl -s http://127.0.0.1:9999/");
    expect(await page.textContent(".more")).toMatch(/blocks 3 results/);
    expect(await page.textContent(".sides mark")).toBe('"code": -32603, ◀');
    await page.locator(".finding-line", { hasText: "STREAM-003" }).click();
    await page.waitForSelector(".dot.wrong");
    expect(page.url()).toMatch(/#\/runs\/[^/]+\/rule\/STREAM-003/);
    await page.reload();
    await page.waitForSelector(".dot.wrong");
  });

  test("results are found by word, verdict and place", async () => {
    await open(sampleRun, { hash: `#/runs/${sampleRun.report.run}?tab=results` });
    await page.selectOption("select[aria-label=Verdict]", "fail");
    await page.selectOption("select[aria-label=Place]", "HTTP+JSON");
    const rows = page.locator(".result-row .which");
    for (const row of await rows.allTextContents()) expect(row).toContain("HTTP+JSON");
    await page.fill("input[type=search]", "stream-003");
    expect(await page.textContent("output")).toBe("1 result");
  });

  test("an exchange that is not in the file is not promised", async () => {
    await open({ ...sampleWith([oneFailure]), events: [] });
    expect(await page.textContent(".finding")).toContain("does not contain the exchanges");
    expect(await page.locator(".finding .exchange, .finding .trouble").count()).toBe(0);
  });

  test("a run that found nobody says so at once", async () => {
    await open(nobodyThere);
    expect(await page.textContent(".answer")).toMatch(/^inconclusive.*Cannot reach http:\/\/127\.0\.0\.1:9999/s);
    expect(await page.textContent(".answer")).not.toContain("0 of 0");
  });

  test("2,000 results, every fourth with an exchange, open within a second", async () => {
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
    await open(runFrom([...large.events, ...exchanges]));
    const drawn = await page.evaluate("performance.getEntriesByType('paint').at(-1).startTime");
    expect(drawn).toBeLessThan(1_000);
    await page.click("text=All results");
    expect(await page.textContent("output")).toBe("2000 results");
    expect(await page.locator(".virtual-row").count()).toBeLessThan(60);
  });

  /** Elements of the three views. Backticks in a sentence say "code", whoever writes them, and JSON has folds and marks. */
  const elementsOf = async (text: string): Promise<string[]> => {
    const run = runThatSays(text);
    await open(run);
    const elements: string[] = [];
    for (const tab of ["Findings", "All results", "Traffic"]) {
      await page.click(`.tabs a:text-is("${tab}")`);
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

  test.each(Object.entries(nastyStrings).filter(([, text]) => text.trim() !== ""))(
    "%s from an agent stays text",
    async (_, text) => {
      expect(await elementsOf(text)).toEqual(await elementsOf("plain"));
    },
  );

  test("nothing that an agent says runs or becomes an element", async () => {
    const hostile = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">";
    await elementsOf(hostile);
    await page.click('.tabs a:text-is("Findings")');
    expect(await page.textContent(".finding h2")).toContain("</script><script>");
    expect(await page.locator("img, iframe, object, #page script").count()).toBe(0);
  });

  test("only an address on the web becomes a link", async () => {
    const linked = async (specUrl: string): Promise<(string | null)[]> => {
      await open(sampleWith([{ ...oneFailure, specUrl }]));
      return Promise.all((await page.locator(".proof a").all()).map((link) => link.getAttribute("href")));
    };
    expect(await linked("https://a2a-protocol.org/latest/#54")).toEqual(["https://a2a-protocol.org/latest/#54"]);
    for (const address of ["javascript:alert(1)", "http://a.test/", "data:text/html,x", 'https://a.test/"onclick="x'])
      expect(await linked(address)).toEqual([]);
  });

  test("without JavaScript there is a plain summary", async () => {
    const plain = await newPage({ javaScriptEnabled: false });
    const file = join(folder, "plain.html");
    writeFileSync(file, html(sampleRun));
    await plain.goto(`file://${file}`);
    expect(await plain.locator("noscript pre").textContent()).toMatch(/not conformant: Weather Agent.*ERR-020/s);
    await plain.context().close();
  });

  test.each(["light", "dark"] as const)("nothing serious stands in the way of anybody (%s)", async (colorScheme) => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 780 },
    ]) {
      const examined = await newPage({ colorScheme, viewport });
      for (const hash of ["", "/rule/ERR-020~1.0~JSONRPC", "?tab=results", "?tab=traffic"]) {
        await open(sampleRun, { on: examined, hash: hash && `#/runs/${sampleRun.report.run}${hash}` });
        await expectAccessible(examined);
      }
      await examined.context().close();
    }
  });
});
