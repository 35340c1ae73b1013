import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectAccessible } from "./axe.fixture.ts";
import { hasBrowser } from "./chromium.fixture.ts";
import { testFromPage, useUi } from "./ui.fixture.ts";

const ui = useUi();

/** The run of an agent after its repair. */
const repairedRun = "2099-01-01T00-00-00";

describe.runIf(hasBrowser)("the page", () => {
  let page: Page;
  let bed: string;
  /** a run in which a stream broke a rule */
  let broken: string;
  /** a run in which one member was missing */
  let incomplete: string;
  /** not awaited here: it takes its time to say that nothing answers */
  let unreachable: string;

  beforeAll(async () => {
    page = await ui.page();
    bed = ((await (await ui.ask("POST", "/api/testbed")).json()) as { url: string }).url;
    unreachable = ((await (await ui.ask("POST", "/api/runs", { url: "http://127.0.0.1:1" })).json()) as { run: string })
      .run;
    broken = await ui.run({ url: `${bed}/mutants/STREAM-003.status-first`, depth: "quick" });
    incomplete = await ui.run({ url: `${bed}/mutants/LIST-003.no-token`, depth: "free" });
    // The same agent, as it would be repaired: later, and the stream opens with the task.
    const repaired = readFileSync(ui.runs.eventsOf(broken), "utf8")
      .replace(/("event":"run-started".*?"at":")\d{4}/, "$12099")
      .replaceAll(/^.*"test":"STREAM-003".*"verdict":"fail".*$/gm, (line) => line.replaceAll('"fail"', '"pass"'));
    writeFileSync(ui.runs.eventsOf(repairedRun), repaired);
  });
  beforeEach(() => open("#/test", "#begin"));

  const open = async (hash: string, selector: string): Promise<void> => {
    await page.goto(`${ui.server.url}/${hash}`);
    await page.waitForSelector(selector);
  };

  const openFinding = async (): Promise<void> => {
    await open(`#/runs/${incomplete}`, ".finding-line");
    await page.locator(".finding-line", { hasText: "LIST-003" }).first().click();
    await page.waitForSelector(".sides mark");
  };

  test("its first load is below 150 kB, gzipped, and comes from here alone", async () => {
    const fresh = await page.context().newPage();
    const loaded: Promise<number>[] = [];
    const elsewhere: string[] = [];
    fresh.on("response", (response) => {
      if (!response.url().startsWith(ui.server.url)) elsewhere.push(response.url());
      // What comes behind the first load may be cut off by the end of the page.
      const size = response.body().then((body) => gzipSync(body).length);
      loaded.push(size.catch(() => 0));
    });
    await fresh.goto(ui.server.url);
    await fresh.waitForSelector("#begin");
    const bytes = (await Promise.all(loaded)).reduce((sum, each) => sum + each, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(150_000);
    expect(elsewhere).toEqual([]);
    await fresh.close();
  });

  test("a good agent of the test bed is tested with a click, and conforms", async () => {
    await page.click("text=Start the built-in test bed");
    await page.selectOption("#depth", "free");
    await page.click("button:text-is('/echo')");
    await page.waitForSelector(".answer.conformant h1");
    expect(await page.textContent(".answer h1")).toBe("conformant (no message sent)");
    expect(await page.textContent(".answer")).toMatch(/no rule broken.*examined \d+ of \d+ rules that apply \(free\)/s);
    expect(await page.locator(".answer-facts").textContent()).toContain("no messages");
  });

  test("the marked place in the JSON is the one that is wrong", async () => {
    await openFinding();
    const marks = await page.locator(".sides mark").allTextContents();
    expect(marks[0]).toContain("◀ nextPageToken is missing");
    expect(await page.locator(".sides > div:first-child mark").count()).toBe(0);
    expect(await page.textContent(".proof")).toMatch(/rule.*§3\.1\.4.*fix/s);
  });

  test("what was found can be taken along: a line for the shell, an archive, an address that leads here", async () => {
    await openFinding();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.click("text=copy as curl");
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^curl -s.* '?http:\/\/127\.0\.0\.1/);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click(".actions >> text=HAR")]);
    const { log } = JSON.parse(readFileSync(await saved.path(), "utf8"));
    expect(log.entries.length).toBeGreaterThan(0);
    const heading = await page.textContent(".finding h2");
    await page.reload();
    await page.waitForSelector(".sides mark");
    expect(await page.textContent(".finding h2")).toBe(heading);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.waitForSelector(".sides mark");
    expect(await other.textContent(".finding h2")).toBe(heading);
    await other.close();
  });

  test("just this check is run again", async () => {
    await openFinding();
    const before = page.url();
    await page.click("text=run again");
    await page.locator(".answer h1", { hasText: /^conformant \(some rules only\)$/ }).waitFor();
    expect(page.url()).not.toBe(before);
    await page.click("text=All results");
    await page.selectOption("select[aria-label=Verdict]", "warning");
    expect(await page.locator(".result-row .which").allTextContents()).toEqual([
      expect.stringMatching(/^LIST-003 · JSON-RPC/),
    ]);
  });

  test("a test is stopped", async () => {
    await page.fill("#agent-url", `${bed}/spec`);
    await page.selectOption("#depth", "full");
    await page.click("button:text-is('Test')");
    await page.click("button:text-is('Stop')");
    await page.waitForSelector(".answer.inconclusive h1");
    expect(await page.textContent(".answer h1")).toBe("interrupted");
  });

  test("an agent that asks for a login says so; with it, it is tested, and the secret is nowhere", async () => {
    await testFromPage(page, `${bed}/secure`, "free");
    expect(await page.textContent(".answer")).toMatch(/inconclusive.*login/s);
    await open("#/test", "#begin");
    await page.fill("#agent-url", `${bed.replace("//", "//user:password@")}/secure?token=hidden`);
    await page.waitForURL((address) => address.hash.includes("agent="));
    expect(decodeURIComponent(page.url())).toBe(`${ui.server.url}/#/test?agent=${bed}/secure`);
    await page.reload();
    await page.waitForFunction("document.querySelector('#agent-url').value !== ''");
    expect(await page.inputValue("#agent-url")).toBe(`${bed}/secure`);
    await page.click("button:text-is('no login')");
    await page.selectOption("#login select", "bearer");
    await page.fill("#login input[type=password]", "alice-token");
    await page.selectOption("#depth", "free");
    await page.click("button:text-is('Test')");
    await page.waitForSelector(".answer.conformant h1");
    const [, run] = /#\/runs\/([^/?]+)/.exec(page.url())!;
    expect(readFileSync(ui.runs.eventsOf(run!), "utf8")).not.toContain("alice-token");
    expect(page.url()).not.toContain("alice-token");
    expect(await page.evaluate(stored)).toEqual([]);
    await page.reload();
    await page.waitForSelector(".answer h1");
    expect(await page.textContent(".address")).toContain("no login");
  });

  test("an agent that is not there is no verdict, and what to do is said", async () => {
    await open(`#/runs/${unreachable}`, ".answer.inconclusive h1");
    expect(await page.textContent(".answer")).toMatch(/Cannot reach http:\/\/127\.0\.0\.1:1.*Start the agent/s);
    await page.reload();
    await page.waitForSelector(".answer.inconclusive h1");
  });

  test("history shows what changed between two runs", async () => {
    const url = `${bed}/mutants/STREAM-003.status-first`;
    await open(`#/history?agent=${encodeURIComponent(url)}`, ".comparison .change");
    expect(await page.locator(".plot svg .broken circle").count()).toBe(2);
    expect(await page.textContent(".comparison")).toMatch(/fixed 1.*STREAM-003.*JSON-RPC, HTTP\+JSON/s);
    const rows = page.locator(".runs-table tbody tr");
    expect(await rows.locator(".verdict").allTextContents()).toEqual(["conformant", "not conformant"]);
    await page.click(`input[aria-label="before: ${repairedRun}"]`);
    await page.click(`input[aria-label="after: ${broken}"]`);
    await page.waitForSelector(".change.fail");
    expect(await page.textContent(".comparison")).toMatch(/broken 1.*STREAM-003/s);
    await page.reload();
    await page.waitForSelector(".change.fail");
    await rows.last().locator("a").click();
    await page.waitForSelector(".answer.not-conformant h1");
  });

  test("rules are found by id, section and word, with what proves them", async () => {
    await open("#/rules", ".virtual-row");
    await page.fill("input[type=search]", "§3.1.4 nextPageToken");
    await page.locator(".virtual-row", { hasText: "LIST-003" }).click();
    await page.waitForSelector("h1:text-is('LIST-003')");
    expect(await page.textContent(".detail")).toMatch(
      /MUST.*A page has a nextPageToken.*\/mutants\/LIST-003\.no-token/s,
    );
    await page.reload();
    await page.waitForSelector("h1:text-is('LIST-003')");
    await page.fill("input[type=search]", "no such words anywhere");
    await page.locator(".list", { hasText: "No rule matches all of these words" }).waitFor();
  });

  test("a file of a run opens where it is dropped, and is sent nowhere", async () => {
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") sent.push(request.url());
    });
    await page.setInputFiles("input[type=file]", ui.runs.eventsOf(incomplete));
    await page.waitForSelector(".answer h1");
    await page.click("text=Traffic");
    await page.locator(".virtual-row").first().click();
    await page.waitForSelector(".sides pre");
    expect(sent).toEqual([]);
    await open("#/test", "#begin");
    await page.setInputFiles("input[type=file]", {
      name: "cats.json",
      mimeType: "application/json",
      buffer: Buffer.from("{}"),
    });
    expect(await page.textContent(".trouble")).toContain("cats.json is not a run");
  });

  test("a visitor without the token learns where to find it", async () => {
    const stranger = await page.context().browser()!.newContext();
    const other = await stranger.newPage();
    await other.goto(`${ui.server.url}/#/runs/x`);
    expect(await other.textContent("main")).toContain("Open the address that assay ui printed");
    await stranger.close();
  });

  test("on a phone, list and detail are two pages", async () => {
    const phone = await ui.page({ viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true });
    await phone.goto(`${ui.server.url}/#/runs/${broken}`);
    await phone.waitForSelector(".answer h1");
    expect(await phone.locator(".detail").isVisible()).toBe(false);
    await phone.locator(".finding-line").first().click();
    await phone.waitForSelector(".detail .finding h2");
    expect(await phone.locator(".list").isVisible()).toBe(false);
    await phone.click("text=back to the list");
    await phone.waitForSelector(".list >> visible=true");
    for (const hash of ["#/test", "#/history", "#/rules", `#/runs/${broken}`]) {
      await phone.goto(`${ui.server.url}/${hash}`);
      await phone.waitForSelector("main h1, .virtual-row");
      expect(await phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), hash).toBe(true);
    }
    await phone.goto(
      `${ui.server.url}/#/history?agent=${encodeURIComponent(`${bed}/mutants/STREAM-003.status-first`)}`,
    );
    await phone.waitForSelector(".comparison");
    for (const choice of [`before: ${repairedRun}`, `after: ${broken}`]) {
      const radio = phone.locator(`input[aria-label="${choice}"]`);
      const { x, width } = (await radio.boundingBox())!;
      expect(x + width, choice).toBeLessThan(390);
      await radio.tap();
    }
    await phone.waitForSelector(".change.fail");
    for (const place of [".runs-table tbody tr >> nth=0 >> .verdict", ".rail a >> nth=-1"]) {
      const { x, width } = (await phone.locator(place).boundingBox())!;
      expect(x + width, place).toBeLessThan(390);
    }
    await phone.context().close();
  });

  test("on a laptop, the button to test is beside the address, and no column covers another", async () => {
    await page.reload();
    await page.waitForSelector(".recent a");
    const boxOf = async (place: string) => (await page.locator(place).first().boundingBox())!;
    const [address, button] = [await boxOf("#agent-url"), await boxOf(".address-line button.primary")];
    expect(button.y).toBeLessThan(address.y + address.height);
    const right = await page.evaluate<number>(`(() => {
      const verdict = document.querySelector(".recent .verdict");
      verdict.textContent = "conformant (no message sent)";
      const text = document.createRange();
      text.selectNodeContents(verdict);
      return text.getBoundingClientRect().right;
    })()`);
    expect(right).toBeLessThan((await boxOf(".recent a > :nth-child(2)")).x);
  });

  test.each(["light", "dark"] as const)("has no serious accessibility problem (%s)", async (colorScheme) => {
    const examined = await ui.page({ colorScheme });
    const places = {
      "#/test": "#begin",
      [`#/history?agent=${encodeURIComponent(`${bed}/mutants/STREAM-003.status-first`)}`]: ".comparison",
      "#/rules/LIST-003": ".rule-text",
      [`#/runs/${broken}`]: ".sides",
      [`#/runs/${broken}?tab=results`]: ".virtual-row",
      [`#/runs/${broken}?tab=traffic`]: ".exchange-row",
    };
    for (const [hash, selector] of Object.entries(places)) {
      await examined.goto(`${ui.server.url}/${hash}`);
      await examined.waitForSelector(selector);
      if (hash === "#/test") await examined.click("button:text-is('no login')");
      await expectAccessible(examined);
    }
    await examined.context().close();
  });
});

/** Whatever a page keeps between two visits. */
const stored = "Object.keys({ ...localStorage, ...sessionStorage })";
