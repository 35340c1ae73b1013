import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Faults } from "@assay/proxy";
import { describe, expect, test } from "vitest";
import { ask, open, plain, serverSentData, useTestbed } from "../fixtures/testbed.fixture.ts";
import { proxyBefore } from "../proxy/proxy.fixture.ts";
import { expectAccessible } from "./axe.fixture.ts";
import { hasBrowser } from "./chromium.fixture.ts";
import { useUi } from "./ui.fixture.ts";

const ui = useUi();
const bed = useTestbed();

const headers = { Authorization: "Bearer very-secret-token" };
const post = (message: object, method = "SendMessage") => ({
  method: "POST",
  headers: { "Content-Type": "application/json", "A2A-Version": "1.0", ...headers },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method,
    params: {
      message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text: "message-only hi" }], ...message },
    },
  }),
});
const send = (url: string, message: object) => plain(url, post(message));

describe.runIf(hasBrowser)("a recorded run of the proxy", () => {
  test("shows which fault hit which call", async () => {
    const proxy = await proxyBefore(`${bed.url}/spec`, { faults: new Faults(["status=503@SendMessage:1x"]) });
    expect((await send(proxy.url, {})).status).toBe(503);
    expect((await send(proxy.url, {})).status).toBe(200);
    const { report } = await proxy.end();
    const run = "2026-11-18T08-00-00";
    mkdirSync(dirname(ui.runs.eventsOf(run)), { recursive: true });
    writeFileSync(ui.runs.eventsOf(run), proxy.events.map((event) => JSON.stringify(event)).join("\n"));
    const page = await ui.page();
    await page.goto(`${ui.server.url}/#/runs/${run}?tab=traffic`);
    const hit = page.locator(".exchange-row", { hasText: "fault: status=503@SendMessage:1x" });
    await hit.waitFor();
    expect(await hit.count()).toBe(1);
    await expectAccessible(page);
    await hit.click();
    await page.locator(".exchange h3", { hasText: "fault: status=503@SendMessage:1x" }).waitFor();
    await page.click("text=Findings");
    const [note] = report.notes.filter((each) => each.startsWith("fault status=503"));
    await page.locator(".notes li", { hasText: note!.slice(1) }).waitFor();
  });
});

describe.runIf(hasBrowser)("Watch", () => {
  test("a faulty client is seen through the proxy, down to what it sent", async () => {
    const page = await ui.page();
    await page.goto(`${ui.server.url}/#/watch`);
    await expectAccessible(page);
    await page.fill("#agent-url", `${bed.url}/spec`);
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    const proxy = (await page.locator(".watch-head code").textContent())!;
    expect(new URL(proxy).pathname).toBe("/spec");
    await send(proxy, {});
    await send(proxy, { messageId: undefined });
    const faulty = page.locator(".virtual-row", { hasText: "a message has no messageId" });
    await faulty.waitFor();
    expect(await faulty.locator(".verdict").allTextContents()).toEqual(["client broken", "agent kept"]);
    await expectAccessible(page);
    await faulty.click();
    await page.locator(".watch-detail a", { hasText: "SEND-021" }).waitFor();
    await page.locator(".watch-detail .exchange").getByText('"SendMessage"').waitFor();
    await expectAccessible(page);
    const place = page.url();
    await page.reload();
    await page.locator(".watch-detail .exchange").waitFor();
    expect(page.url()).toBe(place);
    expect(await page.locator("main").textContent()).not.toContain("very-secret-token");
  });

  test("a proxy injects the faults that the page asks for", async () => {
    const page = await ui.page();
    await page.goto(`${ui.server.url}/#/watch`);
    await page.fill("#agent-url", `${bed.url}/spec`);
    await page.getByLabel("Faults to inject").fill("status=503@SendMessage:1x, latency=1ms");
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    const head = page.locator(".watch-head");
    await head.getByText("with faults: status=503@SendMessage:1x, latency=1ms").waitFor();
    const proxy = (await head.locator("code").textContent())!;
    expect((await send(proxy, {})).status).toBe(503);
    const hit = page.locator(".virtual-row", { hasText: "fault: status=503@SendMessage:1x" });
    await hit.waitFor();
    await expectAccessible(page);
    await hit.click();
    await page.locator(".watch-detail .verdict", { hasText: "not judged" }).waitFor();
    await page.getByRole("button", { name: "End" }).click();
  });

  test.each([
    [["cutt=3"], 'unknown fault "cutt"'],
    ["cut=3", '"faults" must be a list'],
  ])("faults %j are refused", async (faults, error) => {
    const refused = await ui.ask("POST", "/api/watches", { kind: "proxy", url: `${bed.url}/spec`, faults });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringContaining(error) }),
    ]);
  });

  test("a stream is shown while it is open; what comes waits while paused; the list is cleared; on a phone", async () => {
    const page = await ui.page({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
    await page.goto(`${ui.server.url}/#/watch`);
    const faults = (await page.getByLabel("Faults to inject").boundingBox())!;
    expect(faults.x + faults.width).toBeLessThan(390);
    await page.getByRole("button", { name: "Start a test bed to watch" }).click();
    const url = (await page.locator(".watch-head code").textContent())!;
    const stream = await open(url, post({ parts: [{ text: "slow 600" }] }, "SendStreamingMessage"));
    const events = serverSentData(stream);
    const { value } = await events.next();
    await page.locator(".virtual-row .live", { hasText: "open" }).waitFor();
    // The stream ends with its task, and not before.
    await ask(url, "JSONRPC", "CancelTask", { id: JSON.parse(value).result.task.id }, headers);
    while (!(await events.next()).done);
    await page.locator(".virtual-row", { hasText: "events" }).waitFor();
    await page.locator(".virtual-row").nth(1).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await send(url, {});
    await page.getByRole("button", { name: "Resume (" }).waitFor();
    expect(await page.locator(".virtual-row").count()).toBe(2);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.locator(".virtual-row").nth(2).waitFor();
    await expectAccessible(page);
    await page.locator(".virtual-row").first().click();
    await page.getByText("this call breaks no rule").waitFor();
    await page.getByRole("link", { name: "All calls" }).click();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByText("No calls yet").waitFor();
    await page.getByRole("button", { name: "End" }).click();
    await page.getByRole("heading", { name: "Watch what a client says" }).waitFor();
  });
});
