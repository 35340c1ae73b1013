import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { openLedger } from "@assay/fleet";
import { beforeAll, describe, expect, test } from "vitest";
import { verdict, verdictsNow } from "../../packages/fleet/src/site/fleet.fixture.ts";
import { expectAccessible } from "./axe.fixture.ts";
import { hasBrowser } from "./chromium.fixture.ts";
import { useUi } from "./ui.fixture.ts";

const ui = useUi();

beforeAll(async () => {
  mkdirSync(dirname(ui.runs.history), { recursive: true });
  const ledger = await openLedger(`sqlite:${ui.runs.history}`);
  const sweep = { sweep: "s2", fleet: "registry", startedAt: "2026-11-16T02:00:00.000Z", agents: verdictsNow.length };
  await ledger.begin(sweep);
  for (const each of verdictsNow) {
    const { run: _, ...known } = each;
    await ledger.settle(known);
  }
  await ledger.end("s2", "2026-11-16T02:10:00.000Z");
  await ledger.close();
});

describe.runIf(hasBrowser)("Fleet", () => {
  test("the page shows what assay fleet left in the history, down to one agent", async () => {
    const page = await ui.page();
    await page.getByRole("link", { name: "Fleet" }).click();
    await page.getByRole("link", { name: "registry" }).click();
    await page.getByRole("heading", { name: "3 of 6 agents work without a broken rule" }).waitFor();
    await expectAccessible(page);
    await page.getByLabel("find").fill("dead");
    await page.getByText("1 to 1 of 1").waitFor();
    await page.locator("th").getByRole("link", { name: "dead" }).click();
    await page.getByText("No connection.").first().waitFor();
    await expectAccessible(page);
  });
});

test("the API has the fleet without what is the operator's own, and says what it has not", async () => {
  const lines = await (await ui.ask("GET", "/api/fleets")).json();
  expect(lines).toEqual([{ fleet: "registry", startedAt: "2026-11-16T02:00:00.000Z", agents: 6 }]);
  const report = await (await ui.ask("GET", "/api/fleets/registry")).text();
  const agent = await (await ui.ask("GET", "/api/fleets/registry/agents/faulty")).text();
  expect(JSON.parse(agent)).toMatchObject({ row: { agent: "faulty" }, evidence: "GET / → 200" });
  for (const text of [report, agent]) expect(text).not.toMatch(/gold-customer|worker-7/);
  expect((await ui.ask("GET", "/api/fleets/nobody")).status).toBe(404);
  expect((await ui.ask("GET", `/api/fleets/registry/agents/${verdict("x").agent}`)).status).toBe(404);
});
