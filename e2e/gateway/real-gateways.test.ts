import { describe, test } from "vitest";
import { judgedThrough } from "./gateway-run.fixture.ts";
import { hasGateway, startGateway } from "./real-gateways.fixture.ts";

describe.skipIf(!hasGateway("nginx")).concurrent("nginx", () => {
  test("holds streams back by default", async ({ expect }) => {
    // `npm run prove -- gateways` examines all properties of this configuration.
    const only = ["GW-STREAM-TIMING"];
    expect(await judgedThrough((port) => startGateway("nginx", port, ""), { depth: "quick", only })).toEqual([
      "GW-STREAM-TIMING broken",
    ]);
  });

  test("preserves everything without buffering", async ({ expect }) => {
    expect(await judgedThrough((port) => startGateway("nginx", port, "proxy_buffering off;"))).toEqual([]);
  });
});
