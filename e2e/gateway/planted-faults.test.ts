import { resultsOf } from "@assay/suite/report";
import { describe, expect, test } from "vitest";
import { properties } from "../../packages/gateway/src/properties/index.ts";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { examinedThrough, judgedThrough, unexaminedThrough } from "./gateway-run.fixture.ts";
import {
  type GatewayFault,
  gatewayFaults,
  gatewayLimits,
  startFaultyGateway,
  startTcpProxy,
} from "./planted-gateway.fixture.ts";
import { grpcFaults } from "./planted-grpc-gateway.fixture.ts";

test("every property has a planted fault", () => {
  const planted = [...Object.values(gatewayFaults), ...Object.values(grpcFaults)]
    .flat()
    .filter((line) => !line.includes("not-examined"))
    .map((line) => line.split(" ")[0]);
  const found = new Set([...planted, ...Object.values(gatewayLimits)]);
  expect(properties.map(({ id }) => id).filter((id) => !found.has(id))).toEqual([]);
});

describe.concurrent("gateways that change nothing", () => {
  test("nothing is reported on a TCP proxy", async ({ expect }) => {
    expect(await judgedThrough(startTcpProxy)).toEqual([]);
  });

  testIf(provesAll)("nothing is reported on an HTTP proxy without a fault", async ({ expect }) => {
    expect(await judgedThrough((port) => startFaultyGateway(port, undefined))).toEqual([]);
  });

  testIf(provesAll)(
    "nothing is reported on a gateway that compresses for clients that accept it",
    async ({ expect }) => {
      expect(await judgedThrough((port) => startFaultyGateway(port, "compresses"))).toEqual([]);
    },
  );

  testIf(provesAll)("a gateway that knows only 1.0 is not blamed, and nothing of 0.3 passes", async ({ expect }) => {
    const start = (port: number) => startFaultyGateway(port, "knows-only-1.0");
    const unexamined = (await unexaminedThrough(start)).filter((line) => line.startsWith("JSONRPC 0.3 "));
    expect(unexamined).toContain(
      "JSONRPC 0.3 GW-BODY-REQUEST: the gateway passed no JSONRPC request of 0.3 on: it answered HTTP 404 itself",
    );
    expect(unexamined).toHaveLength(7);
  });

  testIf(provesAll)("a gateway that translates 0.3 into 1.0 is not blamed", async ({ expect }) => {
    const start = (port: number) => startFaultyGateway(port, "upgrades-versions");
    const odd = await judgedThrough(start);
    expect(odd.length).toBeGreaterThan(0);
    expect(odd.filter((line) => !line.includes(" in 0.3 not-examined: the gateway translates requests"))).toEqual([]);
  });

  testIf(provesAll)("numbers in metadata that are rounded to doubles break nothing", async ({ expect }) => {
    const odd = await judgedThrough((port) => startFaultyGateway(port, "rounds-numbers"));
    const rounded = "metadata.int64 in the request is rounded to a double (9007199254740993, now 9007199254740992)";
    expect(odd).toEqual([
      `GW-BODY-REQUEST changed: $.message.${rounded}`,
      `GW-BODY-REQUEST changed: $.params.message.${rounded}`,
      `GW-BODY-REQUEST in 0.3 changed: $.message.${rounded}`,
      `GW-BODY-REQUEST in 0.3 changed: $.params.message.${rounded}`,
    ]);
  });

  test("white space, forwarding headers and health checks break nothing", async ({ expect }) => {
    expect(await judgedThrough((port) => startFaultyGateway(port, "harmless"))).toEqual([
      "GW-BODY-REQUEST changed: the request is written differently, with the same content",
      "GW-BODY-REQUEST in 0.3 changed: the request is written differently, with the same content",
      "GW-PUSH-CALLBACK changed: the notification is written differently, with the same content",
    ]);
  });
});

/** A longer line is not "broken". */
const lineOf = (broken: string): string => (broken.includes(":") ? broken : `${broken} broken`);

/** `npm test` tries every 16th of them. */
const tried = sampleOf(Object.entries(gatewayFaults), 16);

describe.concurrent("a gateway that breaks one thing", () => {
  test.each(tried)("%s is found", async (fault, broken) => {
    const found = await judgedThrough((port) => startFaultyGateway(port, fault as GatewayFault));
    expect(found).toEqual(broken.map(lineOf).toSorted());
  });

  test("is shown at both ends, with the place that differs", async () => {
    const report = await examinedThrough((port) => startFaultyGateway(port, "drops-version"));
    const broken = resultsOf(report).filter(({ verdict }) => verdict === "fail");
    expect(broken.map(({ evidence, compared }) => ({ evidence, compared }))).toEqual(
      ["JSONRPC", "HTTP+JSON"].map(() => {
        const [client, agent] = [expect.any(String), expect.any(String)];
        return {
          evidence: [client, agent],
          compared: {
            part: "request",
            header: "A2A-Version",
            ends: [
              { end: "client", exchanges: [client], shows: "A2A-Version: 1.0" },
              { end: "agent", exchanges: [agent], shows: "no A2A-Version" },
            ],
          },
        };
      }),
    );
  });
});
