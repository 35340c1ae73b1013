import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { ask, useTestbed } from "../fixtures/testbed.fixture.ts";
import { expectAccessible } from "./axe.fixture.ts";
import { hasBrowser } from "./chromium.fixture.ts";
import { startHostileAgent } from "./hostile-agent.fixture.ts";
import { useUi } from "./ui.fixture.ts";

const ui = useUi();
const bed = useTestbed({ timeScale: 0.5 });

async function talkTo(page: Page, url: string): Promise<void> {
  await page.goto(`${ui.server.url}/#/talk`);
  await page.fill("#agent-url", url);
  await page.getByRole("button", { name: "Talk", exact: true }).click();
  await page.waitForSelector(".composer");
}

async function say(page: Page, text: string): Promise<void> {
  await page.fill("#message", text);
  await page.press("#message", "Enter");
}

const phone = { viewport: { width: 390, height: 844 }, colorScheme: "dark" } as const;

describe.runIf(hasBrowser)("Talk", () => {
  test("a stream is watched live, left, and resumed to its end", async () => {
    const page = await ui.page();
    await talkTo(page, `${bed.url}/spec`);
    await page.getByRole("heading", { name: "Spec Agent" }).waitFor();
    await say(page, "streaming hello");
    await page.locator("#turn-0").getByText("Chunk 4").waitFor();
    await page.locator("#turn-0").getByText("closed by the agent").waitFor();
    // It works until it is canceled, so the stream is open for as long as this takes.
    await say(page, "slow 600");
    const first = page.locator("#turn-1");
    await first.getByText("Working for 600 s").waitFor();
    await first.getByRole("button", { name: "Disconnect" }).click();
    await first.getByText("disconnected by Assay").waitFor();
    await first.getByRole("button", { name: "Subscribe again" }).click();
    const second = page.locator("#turn-2");
    await second.getByText("stream open, 1 events").waitFor();
    const id = (await second.locator(".mine code").getAttribute("title"))!;
    await ask(`${bed.url}/spec`, "JSONRPC", "CancelTask", { id });
    await second.getByText("closed by the agent").waitFor();
    for (const turn of [0, 1, 2]) await page.locator(`#turn-${turn} .verdict.pass`).waitFor();
    expect(await page.locator(".state-line li").allTextContents()).toEqual([
      ...["submitted", "working", "canceled"],
      ...["submitted", "working", "completed"],
    ]);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Data", exact: true }).click();
    await page.getByLabel("Data (JSON)").fill('{"city":"Oslo"}');
    await page
      .getByLabel("files to send")
      .setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("hi") });
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.locator("#turn-3 .mine .file", { hasText: "a.txt" }).waitFor();
    await page.locator("#turn-3 .mine", { hasText: '"city": "Oslo"' }).waitFor();
    await page.getByRole("button", { name: "List", exact: true }).click();
    await page
      .locator("#turn-4")
      .getByText(/^\d tasks?/)
      .waitFor();
    await second.getByRole("button", { name: "Wire" }).click();
    await page.getByRole("tab", { name: "Wires" }).click();
    await page.getByLabel("The other").selectOption({ label: "JSON-RPC 0.3" });
    await page.getByText("tasks/resubscribe").waitFor();
    const place = page.url();
    await page.reload();
    await page.locator("#turn-2 .verdict.pass").waitFor();
    expect(page.url()).toBe(place);
    await page.getByText("tasks/resubscribe").waitFor();
  });

  test("a push notification arrives on the page, and a task that asks back is answered", async () => {
    const page = await ui.page(phone);
    await talkTo(page, `${bed.url}/full`);
    await page.getByLabel("stream").uncheck();
    await page.getByLabel("push to this page").check();
    await say(page, "task-lifecycle hi");
    await page.locator("#turn-0 .verdict.pass").waitFor();
    await page.getByRole("button", { name: "Agent", exact: true }).click();
    await page.locator(".pushes .verdict.pass", { hasText: "completed" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Talk", exact: true }).nth(1).click();
    await page.getByLabel("push to this page").uncheck();
    await say(page, "multi-turn");
    await page.locator("#turn-1").getByText("input-required").waitFor();
    await say(page, "done");
    await page.locator("#turn-2").getByText("completed").first().waitFor();
    await expectAccessible(page);
  });

  test("what a faulty agent says is marked at its place, with the rule", async () => {
    const page = await ui.page({ colorScheme: "dark" });
    await talkTo(page, `${bed.url}/mutants/DATA-018.nameless`);
    await page.getByLabel("stream").uncheck();
    await say(page, "message-only hi");
    await page.locator("#turn-0 .verdict.fail", { hasText: "not valid" }).waitFor();
    await page.locator("#turn-0 .faults a", { hasText: "DATA-018" }).waitFor();
    expect(await page.locator(".talk-wire mark").textContent()).toContain("messageId is missing");
    await expectAccessible(page);
  });

  test("nothing of what an agent writes becomes markup, and its files are bytes", async () => {
    const agent = await startHostileAgent();
    const page = await ui.page();
    const title = await page.title();
    await talkTo(page, agent.url);
    await page.getByLabel("stream").uncheck();
    await say(page, "hello");
    await page.locator("#turn-0 .verdict").first().waitFor();
    await page.locator("#turn-0 .file").first().waitFor();
    const download = page.waitForEvent("download");
    await page.locator("#turn-0").getByRole("button", { name: "Download" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("page.html");
    expect(readFileSync((await file.path())!, "utf8")).toContain("onerror");
    for (const summary of await page.locator(".talk-agent summary").all()) await summary.click();
    for (const tab of ["Wires", "Exchange"]) {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByRole("tabpanel", { name: tab }).locator("pre").first().waitFor();
    }
    expect(await page.title()).toBe(title);
    expect(await page.locator("#page img, #page script, #page a[href^='javascript']").count()).toBe(0);
    expect(await page.locator("#page").textContent()).not.toContain("\u202E");
    agent.close();
  });

  test("a login is needed, given, and seen nowhere", async () => {
    const page = await ui.page();
    await talkTo(page, `${bed.url}/secure`);
    await say(page, "message-only hi");
    await page.locator("#turn-0").getByText("asks for a login").waitFor();
    await page.getByRole("button", { name: "no login" }).click();
    await page.getByLabel("Login").selectOption("bearer");
    await page.getByRole("textbox", { name: "Token" }).fill("alice-token");
    await page.getByRole("button", { name: "Talk", exact: true }).click();
    await page.getByText("No messages yet").waitFor();
    await say(page, "message-only hi");
    await page.locator("#turn-0 .verdict.pass").waitFor();
    await page.getByRole("tab", { name: "Exchange" }).click();
    await page.locator(".talk-wire .headers summary").first().click();
    await page.getByText("«secret:").first().waitFor();
    const kept = await page.evaluate("JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }])");
    expect(kept).not.toContain("alice-token");
    expect(await page.locator("main").textContent()).not.toContain("alice-token");
  });
});

test("a missing agent is reported, with the next step", async () => {
  const answer = await ui.ask("POST", "/api/talks", { url: "http://127.0.0.1:9" });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({
    error: expect.stringContaining("Cannot reach"),
    hint: expect.any(String),
  });
});
