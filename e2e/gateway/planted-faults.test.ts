import { describe, expect, test } from "vitest";
import { sampleOf } from "../fixtures/proves-all.fixture.ts";
import { judgedThrough } from "./gateway-run.fixture.ts";
import { type GatewayFault, startFaultyGateway, startTcpProxy } from "./planted-gateway.fixture.ts";

describe.concurrent("gateways that change nothing", () => {
  test("nothing is reported on a TCP proxy", async ({ expect }) => {
    expect(await judgedThrough(startTcpProxy)).toEqual([]);
  });

  test("nothing is reported on an HTTP proxy without a fault", async ({ expect }) => {
    expect(await judgedThrough((port) => startFaultyGateway(port, undefined))).toEqual([]);
  });

  test("white space, forwarding headers and health checks break nothing", async ({ expect }) => {
    expect(await judgedThrough((port) => startFaultyGateway(port, "harmless"))).toEqual([
      "GW-BODY-REQUEST changed: the request is written differently, with the same content",
    ]);
  });
});

const faults: Readonly<Record<GatewayFault, readonly string[]>> = {
  "drops-version": ["GW-HEADER-A2A-VERSION"],
  "drops-extensions": ["GW-HEADER-A2A-EXTENSIONS"],
  "buffers-streams": ["GW-STREAM-TIMING"],
  "cuts-streams": ["GW-STREAM-TIMING"],
  "rewrites-errors": ["GW-ERROR-BODY"],
  "changes-status": ["GW-ERROR-STATUS"],
  "sends-twice": ["GW-DELIVERY-ONCE", "GW-DELIVERY-AFTER-503"],
  "rounds-numbers": ["GW-BODY-REQUEST"],
  // Whoever changes a signed card invalidates its signature.
  "drops-card-members": ["GW-CARD-MEMBERS", "GW-CARD-SIGNATURE"],
  "ignores-disconnects": ["GW-STREAM-DISCONNECT"],
};

/** `npm test` tries every fourth of them. */
const tried = sampleOf(Object.entries(faults), 4);

describe.concurrent("a gateway that breaks one thing", () => {
  test.each(tried)("%s is found", async (fault, broken) => {
    const found = await judgedThrough((port) => startFaultyGateway(port, fault as GatewayFault));
    expect(found).toEqual(broken.map((id) => `${id} broken`).toSorted());
  });
});
