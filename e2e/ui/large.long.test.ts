import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConformanceResult, ExchangeRecorded, RunEvent, RunStarted } from "@assay/suite/report";
import { exportSite } from "@assay/web";
import { describe, expect, test } from "vitest";
import { keptRuns } from "../../packages/cli/src/ui/lab.ts";
import { hasBrowser, useBrowser } from "./chromium.fixture.ts";
import { useUi } from "./ui.fixture.ts";

const results = 3_000;
const exchanges = 20_000;
const name = "2026-11-15T08-14-02";

const started: RunStarted = {
  event: "run-started",
  run: name,
  at: "2026-11-15T08:14:02.000Z",
  tool: { name: "assay", version: "0.1.0" },
  ruleSet: "1.0.1-r1",
  agentUrl: "http://127.0.0.1:9999",
  depth: "full",
  strict: false,
};

const resultAt = (n: number): ConformanceResult => ({
  ...{ test: `MANY-${String(n).padStart(4, "0")}`, category: "lifecycle", dialect: "1.0", level: "MUST" },
  ...(n % 10 === 0
    ? { status: "fail", verdict: "fail", message: `number ${n} is wrong` }
    : { status: "pass", verdict: "pass" }),
  ...{ title: `promise ${n}`, section: "3.1", specUrl: "https://a2a-protocol.org/latest/", evidence: [`e${n}`] },
});

const exchangeAt = (n: number): ExchangeRecorded => ({
  event: "exchange",
  id: `e${n}`,
  operation: "GetTask",
  entry: {
    startedDateTime: "2026-11-15T08:14:02.000Z",
    time: n % 50,
    request: {
      ...{
        method: "POST",
        url: "http://127.0.0.1:9999/",
        httpVersion: "HTTP/1.1",
        cookies: [],
        headers: [],
        queryString: [],
      },
      postData: { mimeType: "application/json", text: `{"id":${n}}` },
      ...{ headersSize: -1, bodySize: -1 },
    },
    response: {
      ...{ status: 200, statusText: "OK", httpVersion: "HTTP/1.1", cookies: [], headers: [], redirectURL: "" },
      content: { size: 1, mimeType: "application/json", text: `{"answer":${n}}` },
      ...{ headersSize: -1, bodySize: -1 },
    },
    cache: {},
    timings: { connect: 0, send: 0, wait: 0, receive: 0 },
    _id: `e${n}`,
  },
});

const finished: RunEvent = {
  event: "run-finished",
  at: "2026-11-15T08:15:02.000Z",
  ending: "done",
  duration_ms: 60_000,
  workingMessages: 8,
};

function* largeRun(): Generator<RunEvent> {
  yield started;
  for (let n = 0; n < exchanges; n++) {
    yield exchangeAt(n);
    if (n < results) yield { event: "check-finished", result: resultAt(n) };
  }
  yield finished;
}

/** Events in bursts of ten, 500 a second, for two seconds; and then so many that none could be drawn by itself. */
async function* flood(): AsyncGenerator<RunEvent> {
  yield { ...started, run: "flood" };
  yield { event: "planned", checks: 2_000, rules: 2_000, workingMessages: 8, withoutCheck: 0 };
  for (let n = 0; n < 2_000; n++) {
    if (n < 1_000 && n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    yield { event: "check-finished", result: resultAt(n) };
  }
  await new Promise<void>((resolve) => {
    endFlood = resolve;
  });
  yield finished;
}
let endFlood = () => {};

const ui = useUi((lab) => ({ ...lab, test: async () => ({ run: "flood", events: flood() }) }));

describe.runIf(hasBrowser)("a run that is large", () => {
  test("is scrolled through, with what can be seen and no more in the page", async () => {
    ui.runs.prepare();
    writeFileSync(ui.runs.eventsOf(name), [...largeRun()].map((event) => `${JSON.stringify(event)}\n`).join(""));
    const page = await ui.page();
    await page.goto(`${ui.server.url}/#/runs/${name}?tab=results`);
    await page.waitForSelector(".result-row");
    expect(await page.textContent("output")).toBe("3000 results");
    expect(await page.locator(".virtual-row").count()).toBeLessThan(60);
    await page.locator(".virtual").focus();
    await page.keyboard.press("End");
    await page.waitForSelector("text=promise 2999");
    expect(await page.locator(".virtual-row").count()).toBeLessThan(60);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".sides");
    expect(await page.textContent(".sides")).toContain('"answer": 2999');

    await page.click("text=Traffic");
    await page.waitForSelector(".exchange-row >> text=GetTask");
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/")) asked.push(request.url());
    });
    await page.locator(".virtual").focus();
    await page.keyboard.press("End");
    await page.waitForSelector(".exchange-row >> text=20000");
    await page.keyboard.press("Enter");
    await page.waitForSelector('text="answer": 19999');
    // Only what came into sight was asked for.
    expect(asked.length).toBeLessThan(6);
    await page.context().close();
  });

  test("can be watched while events pour in: the page still answers", async () => {
    const page = await ui.page();
    await page.fill("#agent-url", "http://127.0.0.1:9999");
    await page.click("button:text-is('Test')");
    await page.waitForSelector(".findings li");
    // Meanwhile something else is done with it.
    await page.click("a:text-is('Rules')");
    await page.waitForSelector(".rule-line");
    await page.goBack();
    await page.waitForSelector("text=2000 of 2000 rules");
    expect(await page.textContent(".counts")).toContain("200 broken");
    await page.locator(".finding-line").first().click();
    expect(await page.textContent(".detail h2")).toContain("Number 0 is wrong");
    endFlood();
    await page.context().close();
  });
});

describe.runIf(hasBrowser)("an exported site", () => {
  const openPage = useBrowser();

  test("opens from disk, shows runs and rules, and can ask for nothing", async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-site-"));
    const small: RunEvent[] = [started, exchangeAt(0), { event: "check-finished", result: resultAt(0) }, finished];
    ui.runs.prepare();
    const run = "2026-11-14T08-00-00";
    writeFileSync(ui.runs.eventsOf(run), small.map((event) => `${JSON.stringify(event)}\n`).join(""));
    await exportSite(folder, {
      runs: keptRuns(ui.runs),
      chosen: [run],
      matrices: { list: () => [], read: () => undefined },
    });
    const asked: string[] = [];
    const page = await openPage();
    try {
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(`file://${folder}/index.html`);
      await page.waitForSelector(".runs-table");
      expect(await page.locator("nav.rail a").allTextContents()).not.toContain("Test");
      await page.click(".runs-table a");
      await page.waitForSelector(".answer.not-conformant h1");
      expect(await page.textContent(".sides")).toContain('"answer": 0');
      expect(await page.locator("text=run again").count()).toBe(0);
      await page.reload();
      await page.waitForSelector(".answer.not-conformant h1");
      await page.click("a:text-is('Rules')");
      await page.waitForSelector(".rule-line");
      expect([...new Set(asked)]).toEqual([expect.stringMatching(/\/index\.html$/)]);
      expect(readFileSync(join(folder, "index.html"), "utf8")).toContain("default-src 'none'");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
