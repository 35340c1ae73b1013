import type { Page } from "playwright-core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { useTestbed } from "../fixtures/testbed.fixture.ts";
import { expectAccessible } from "./axe.fixture.ts";
import { hasBrowser } from "./chromium.fixture.ts";
import { startHostileAgent } from "./hostile-agent.fixture.ts";
import { testFromPage, useUi } from "./ui.fixture.ts";

// A smoke test of the page; page.long.test.ts has the rest.

const ui = useUi();
const bed = useTestbed({ timeScale: 0.02 });

describe.runIf(hasBrowser)("the page", () => {
  let page: Page;
  beforeAll(async () => {
    page = await ui.page();
  });

  test("the printed address opens it, and the token does not stay in the address", async () => {
    expect(page.url()).not.toContain(ui.server.token);
    expect(await page.evaluate("document.cookie")).toBe("");
    expect(await page.evaluate("Object.keys({ ...localStorage, ...sessionStorage })")).toEqual([]);
  });

  test("a faulty agent is found out: the stream along its time, with the wrong event marked", async () => {
    await testFromPage(page, `${bed.url}/mutants/STREAM-003.status-first`, "quick");
    expect(await page.textContent(".answer h1")).toBe("not conformant");
    const first = page.locator(".finding-line").first();
    expect(await first.textContent()).toMatch(
      /The stream opens with a status update.*STREAM-003 · JSON-RPC, HTTP\+JSON/,
    );
    await first.click();
    const track = page.locator(".track").first();
    await track.waitFor();
    expect(await track.getAttribute("aria-valuetext")).toMatch(/^event 1 of \d+, .*status .*the wrong one$/);
    expect(await page.locator(".dot.wrong").count()).toBe(1);
    expect(await page.locator(".timeline pre mark").first().textContent()).toMatch(/◀/);
    await expectAccessible(page);
    await track.focus();
    await page.keyboard.press("ArrowRight");
    expect(await track.getAttribute("aria-valuenow")).toBe("2");
    expect(await page.locator(".timeline pre mark").count()).toBe(0);
    await page.click("text=All results");
    await page.waitForSelector(".result-row");
    const verdicts = await page.locator(".result-row .verdict").allTextContents();
    expect(verdicts[0]).toBe("failed");
    expect(verdicts.lastIndexOf("failed")).toBeLessThan(verdicts.indexOf("passed"));
  });

  test("text from an agent never runs, loads or becomes markup", async () => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const hostile = await startHostileAgent();
    onTestFinished(() => hostile.close());
    await testFromPage(page, hostile.url, "card");
    await page.click("text=All results");
    await page.locator(".virtual-row").first().click();
    await page.waitForSelector(".detail h2");
    const text = await page.textContent(".run");
    expect(text).toContain("<img src=x");
    expect(await page.title()).not.toMatch(/^taken/);
    expect(await page.locator("img, iframe, object, .run script").count()).toBe(0);
    expect(asked.filter((url) => !url.startsWith(ui.server.url))).toEqual([]);
    // The letters that would turn the line around are shown, not obeyed.
    expect(text).toContain("\\u202e");
    expect(text).not.toContain("\u202e");
  });
});
