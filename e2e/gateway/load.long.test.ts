import { describe, expect, test } from "vitest";
import { judgedThrough } from "./gateway-run.fixture.ts";
import { type GatewayLimit, gatewayLimits, startFaultyGateway, startTcpProxy } from "./planted-gateway.fixture.ts";

describe.concurrent("load, size and silence", () => {
  test("nothing is reported on a TCP proxy", async ({ expect }) => {
    expect(await judgedThrough(startTcpProxy, { depth: "full" })).toEqual([]);
  });

  test("a body of 10 MB that is lost once breaks nothing", async ({ expect }) => {
    const start = (port: number) => startFaultyGateway(port, "loses-first-body");
    expect(await judgedThrough(start, { depth: "full", only: ["GW-BODY-SIZE"] })).toEqual([]);
  });

  const { "cuts-idle-streams": idle, ...loads } = gatewayLimits;

  test.each(Object.entries(gatewayLimits))("a gateway that %s is found", async (limit, property) => {
    // 70 s of silence are enough in one of them.
    const only = property === idle ? [idle] : Object.values(loads);
    const found = await judgedThrough((port) => startFaultyGateway(port, limit as GatewayLimit), {
      depth: "full",
      only,
    });
    expect(found).toEqual([`${property} broken`]);
  });
});
