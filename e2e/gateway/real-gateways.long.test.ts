import { describe, test } from "vitest";
import { judgedThrough } from "./gateway-run.fixture.ts";
import { type GatewayName, hasGateway, realGateways, startGateway } from "./real-gateways.fixture.ts";

// Depth full includes 70 s of silence on each binding.
describe.concurrent.each(Object.keys(realGateways) as GatewayName[])("%s", (name) => {
  const { breaks, settings } = realGateways[name];

  test.skipIf(!hasGateway(name))("breaks what docs/gateways.md says by default", async ({ expect }) => {
    const found = await judgedThrough((port) => startGateway(name, port, ""), "full");
    expect(found).toEqual(breaks.map((id) => `${id} broken`));
  });

  test.skipIf(!hasGateway(name))("preserves everything with the settings of docs/gateways.md", async ({ expect }) => {
    expect(await judgedThrough((port) => startGateway(name, port, settings.join("\n")), "full")).toEqual([]);
  });
});
