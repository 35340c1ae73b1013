import type { Page } from "playwright-core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../fixtures/free-port.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";
import { startFaultyGateway, startTcpProxy } from "../gateway/planted-gateway.fixture.ts";
import { expectAccessible } from "./axe.fixture.ts";
import { hasBrowser } from "./chromium.fixture.ts";
import { useUi } from "./ui.fixture.ts";

const ui = useUi();
const bed = useTestbed({ timeScale: 0.02 });

describe.runIf(hasBrowser)("a gateway is tested from the page", () => {
  let page: Page;
  beforeAll(async () => {
    page = await ui.page();
  });

  async function testGateway(through: string, field: string, value: string): Promise<void> {
    await page.goto(`${ui.server.url}/#/test`);
    await page.waitForSelector("#gateway");
    await page.fill("#agent-url", through);
    await page.getByLabel(field).fill(value);
    await page.getByRole("button", { name: "Test the gateway" }).click();
    await page.waitForSelector(".answer h1");
  }

  test("with an agent of Assay behind it", async () => {
    const port = await freePort();
    const gateway = await startFaultyGateway(port, "drops-version");
    onTestFinished(() => gateway.close());
    await testGateway(gateway.url, "Port of that agent", `${port}`);
    expect(await page.textContent(".answer h1")).toBe("the gateway breaks A2A traffic");
    await page.locator(".finding-line", { hasText: "GW-HEADER-A2A-VERSION" }).first().waitFor();
    expect(await page.locator("h3", { hasText: "Broken properties" }).count()).toBe(1);
    await expectAccessible(page);
  });

  test("by comparison with your own agent, and nothing broken is said of properties", async () => {
    const gateway = await startTcpProxy(Number(new URL(bed.url).port));
    onTestFinished(() => gateway.close());
    await testGateway(`${gateway.url}/spec`, "Address without the gateway", `${bed.url}/spec`);
    expect(await page.textContent(".answer h1")).toBe("nothing broken");
    expect(await page.textContent(".list")).toContain("No property is broken, as far as examined.");
    const [, run] = /#\/runs\/([^/?]+)/.exec(page.url())!;
    await page.goto(`${ui.server.url}/#/test`);
    const line = page.locator(".recent li", { has: page.locator(`a[href*="${run}"]`) });
    expect(await line.textContent()).toContain("no property broken");
  });

  test.each([
    [{ url: "http://127.0.0.1:1", upstreamPort: 70_000 }, '"upstreamPort" must be a port'],
    [{ url: "" }, '"url" must be'],
    // The guard of every command holds for both addresses.
    [{ url: "http://127.0.0.1:1", direct: "ftp://127.0.0.1" }, "neither http nor https"],
  ])("%j is refused", async (wish, error) => {
    const refused = await ui.ask("POST", "/api/gateway-runs", wish);
    expect([refused.status, JSON.stringify(await refused.json())]).toEqual([
      400,
      expect.stringContaining(error.replaceAll('"', '\\"')),
    ]);
  });

  test("another page cannot start one", async () => {
    const answer = await fetch(`${ui.server.url}/api/gateway-runs`, { method: "POST", body: "{}" });
    expect(answer.status).toBe(401);
  });
});
