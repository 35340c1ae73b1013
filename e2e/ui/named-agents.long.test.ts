import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { hasBrowser } from "./chromium.fixture.ts";
import { useUi } from "./ui.fixture.ts";

const [first, second] = [
  { name: "weather", url: "http://127.0.0.1:1/weather", depth: "full", faults: true },
  { name: "news", url: "http://127.0.0.1:1/news" },
] as const;
const ui = useUi((lab) => ({ ...lab, agents: () => [first, second] }));

describe.runIf(hasBrowser)("the agents of assay.yaml", () => {
  let page: Page;
  beforeAll(async () => {
    page = await ui.page();
  });

  const form = async () => ({
    url: await page.inputValue("#agent-url"),
    depth: await page.inputValue("#depth"),
    faults: await page.isChecked("label.check input"),
  });

  test("the first one is filled in, with its depth and faults", async () => {
    expect(await form()).toEqual({ url: first.url, depth: "full", faults: true });
  });

  test("another one is a click away", async () => {
    await page.getByRole("button", { name: "news" }).click();
    expect(await form()).toEqual({ url: second.url, depth: "quick", faults: false });
    await page.waitForURL((address) => decodeURIComponent(address.hash).includes(second.url));
    await page.reload();
    await page.waitForSelector("#named");
    expect(await form()).toEqual({ url: second.url, depth: "quick", faults: false });
  });

  test("the page of a run keeps the agent of the run", async () => {
    const run = await ui.run({ url: "http://127.0.0.1:1/other", depth: "card" });
    const other = await ui.page();
    await other.goto(`${ui.server.url}/#/runs/${run}`);
    await other.reload();
    await other.waitForSelector(".answer h1");
    expect(await other.inputValue("#agent-url")).toBe("http://127.0.0.1:1/other");
    await other.context().close();
  });

  test("a field that the user empties stays empty", async () => {
    await page.fill("#agent-url", "");
    await page.waitForURL((address) => !address.hash.includes("agent="));
    expect(await page.inputValue("#agent-url")).toBe("");
  });
});
