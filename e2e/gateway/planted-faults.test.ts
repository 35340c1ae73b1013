import { resultsOf } from "@assay/suite/report";
import { describe, expect, test } from "vitest";
import { properties } from "../../packages/gateway/src/properties/index.ts";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { examinedThrough, judgedThrough, lineOf, quick, unexaminedThrough } from "./gateway-run.fixture.ts";
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

  test("a response that is lost once breaks nothing", async ({ expect }) => {
    const only = ["GW-ERROR-*", "GW-BODY-ANSWER", "GW-STREAM-EVENTS"];
    const start = (port: number) => startFaultyGateway(port, "loses-first-responses");
    expect(await judgedThrough(start, { ...quick, only })).toEqual([]);
  });

  test("a card at the root of the host is found", async ({ expect }) => {
    const only = ["GW-CARD-*"];
    expect(await judgedThrough((port) => startFaultyGateway(port, "serves-card-at-root"), { ...quick, only })).toEqual(
      [],
    );
  });

  test("a gateway may write its public name into every address of the card", async ({ expect }) => {
    const start = (port: number) => startFaultyGateway(port, "has-public-name");
    expect(await judgedThrough(start, { ...quick, only: ["GW-CARD-*"] })).toEqual([
      "GW-CARD-ADDRESSES changed: the card has other addresses: https://gateway.invalid/spec",
      "GW-CARD-ADDRESSES in 0.3 changed: the card has other addresses: https://gateway.invalid",
      "GW-CARD-SIGNATURE changed: the gateway removes the signatures of the card",
    ]);
  });

  test("a gateway may use the media type of A2A 1.0.0", async ({ expect }) => {
    const start = (port: number) => startFaultyGateway(port, "sends-plain-json");
    const only = ["GW-ANSWER-CONTENT-TYPE", "GW-BODY-*", "GW-PUSH-*"];
    expect(await judgedThrough(start, { ...quick, only })).toEqual([
      "GW-ANSWER-CONTENT-TYPE changed: the gateway replaces application/a2a+json with application/json, the type of A2A 1.0.0",
      "GW-BODY-REQUEST changed: the gateway replaces application/a2a+json with application/json, the type of A2A 1.0.0",
      "GW-PUSH-CALLBACK changed: the gateway replaces application/a2a+json with application/json, the type of A2A 1.0.0",
    ]);
  });

  test("a gateway may send a stream in other chunks", async ({ expect }) => {
    const only = ["GW-STREAM-EVENTS", "GW-STREAM-COMMENTS"];
    expect(await judgedThrough((port) => startFaultyGateway(port, "splits-chunks"), { ...quick, only })).toEqual([]);
  });

  test("a gateway may drop members that A2A does not define, and it is said", async ({ expect }) => {
    const start = (port: number) => startFaultyGateway(port, "drops-later-members");
    const lost = (what: string, path: string) =>
      `changed: ${what} loses a member that A2A does not define: ${path}.assayLaterMember`;
    expect(await judgedThrough(start, { ...quick, only: ["GW-BODY-*"] })).toEqual([
      `GW-BODY-ANSWER ${lost("the response", "$.message")}`,
      `GW-BODY-ANSWER ${lost("the response", "$.result.message")}`,
      `GW-BODY-ANSWER in 0.3 ${lost("the response", "$.message")}`,
      `GW-BODY-ANSWER in 0.3 ${lost("the response", "$.result")}`,
      `GW-BODY-REQUEST ${lost("the request", "$.message")}`,
      `GW-BODY-REQUEST ${lost("the request", "$.params.message")}`,
      `GW-BODY-REQUEST in 0.3 ${lost("the request", "$.message")}`,
      `GW-BODY-REQUEST in 0.3 ${lost("the request", "$.params.message")}`,
    ]);
  });

  test("a gateway may use an extension of its own", async ({ expect }) => {
    const start = (port: number) => startFaultyGateway(port, "adds-extension");
    expect(await judgedThrough(start, { ...quick, only: ["GW-HEADER-*"] })).toEqual([
      "GW-HEADER-A2A-EXTENSIONS changed: the gateway adds https://gateway.invalid/trace to A2A-Extensions",
    ]);
  });

  test("a gateway may use JSON-RPC ids of its own towards the agent", async ({ expect }) => {
    const only = ["GW-ERROR-BODY", "GW-BODY-ANSWER", "GW-STREAM-EVENTS", "GW-REQUEST-*", "GW-ANSWER-*"];
    const odd = await judgedThrough((port) => startFaultyGateway(port, "uses-own-ids"), { ...quick, only });
    expect(odd.length).toBeGreaterThan(0);
    expect(odd.filter((line) => !line.endsWith("is written differently, with the same content"))).toEqual([]);
  });

  test.each([
    ["notices-disconnects-late", "GW-STREAM-DISCONNECT", []],
    ["writes-query-again", "GW-REQUEST-TARGET", []],
    ["caches-briefly", "GW-ANSWER-FRESH", ["changed: the gateway answers GetTask from a cache for a few seconds"]],
    ["limits-rate", "GW-REQUEST-CONCURRENT", ["not-examined: the gateway limits requests: HTTP 429"]],
  ] as const)("a gateway that %s breaks nothing", async (quirk, property, odd) => {
    const start = (port: number) => startFaultyGateway(port, quirk);
    expect(await judgedThrough(start, { ...quick, only: [property] })).toEqual(
      odd.map((line) => `${property} ${line}`),
    );
  });

  test("a gateway may add headers to errors", async ({ expect }) => {
    const start = (port: number) => startFaultyGateway(port, "adds-retry-after");
    expect(await judgedThrough(start, { ...quick, only: ["GW-ERROR-HEADERS"] })).toEqual([
      "GW-ERROR-HEADERS changed: the gateway adds Retry-After to errors",
    ]);
  });

  test("a gateway that is overloaded is not blamed for the missing card", async ({ expect }) => {
    const start = (port: number) => startFaultyGateway(port, "is-overloaded");
    const odd = await judgedThrough(start, { ...quick, only: ["GW-CARD-SERVED"] });
    expect(odd).toEqual(["GW-CARD-SERVED not-examined: the gateway answered HTTP 503"]);
  });

  test("a gateway without a card is not blamed, and nothing of the card passes", async ({ expect }) => {
    const only = ["GW-CARD-*"];
    const start = (port: number) => startFaultyGateway(port, "serves-no-card-at-all");
    const odd = await judgedThrough(start, { ...quick, only });
    const none = "not-examined: the gateway serves no Agent Card, so clients need a registry or their own copy";
    expect(odd.filter((line) => !line.endsWith(none))).toEqual([]);
    expect(odd).toHaveLength(7);
  });

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

describe.concurrent("a caller with credentials", () => {
  const only = ["GW-CREDENTIALS-*"];
  const judgedWith = (token: string, fault: Parameters<typeof startFaultyGateway>[1]): Promise<string[]> =>
    judgedThrough(
      async (port) => ({ ...(await startFaultyGateway(port, fault)), headers: [["Authorization", `Bearer ${token}`]] }),
      { ...quick, only },
    );

  test("does not hide those that a gateway adds", async ({ expect }) => {
    expect(await judgedWith("t0ken-of-mine", "adds-credentials")).toEqual([
      "GW-CREDENTIALS-ADDED changed: the gateway adds authorization to requests without it",
    ]);
  });

  test("makes nothing green that a gateway asks for", async ({ expect }) => {
    expect(await judgedWith("t0ken-of-mine", "requires-login")).toEqual([
      "GW-CREDENTIALS-ADDED not-examined: the request did not reach the agent: the gateway answered HTTP 401 itself",
    ]);
  });

  test("is not echoed by a header that contains a short token by chance", async ({ expect }) => {
    expect(await judgedWith("e", undefined)).toEqual([
      "GW-CREDENTIALS-ECHOED not-examined: a token of less than 8 characters may appear in a header by chance",
    ]);
  });
});

test("credentials of the caller do not go to webhooks", async () => {
  const token = "t0ken-of-mine";
  /** the paths whose requests had the token */
  const shown = new Set<string | undefined>();
  const paths = new Set<string | undefined>();
  const start = async (port: number) => ({
    ...(await startFaultyGateway(port, undefined, ({ url, headers }) => {
      paths.add(url);
      if (headers.authorization === `Bearer ${token}`) shown.add(url);
    })),
    headers: [["Authorization", `Bearer ${token}`]] as const,
  });
  expect(await judgedThrough(start, { ...quick, only: ["GW-PUSH-*"] })).toEqual([]);
  expect(paths).toContain("/webhook");
  expect(shown).toContain("/");
  expect(shown).not.toContain("/webhook");
});

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
    for (const { level, remedy } of broken) {
      expect(level).toBe("MUST");
      expect(remedy).toMatch(/This breaks VER-001 of A2A\.$/);
    }
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

test.concurrent.each([
  ["drops-version", "GW-HEADER-A2A-VERSION", "the gateway drops A2A-Version", "no A2A-Version", "A2A-Version: 1.0"],
  ["drops-events", "GW-STREAM-EVENTS", "the gateway drops events of the stream", "2 events", "3 events"],
  ["adds-event", "GW-STREAM-EVENTS", "the gateway adds events to the stream", "4 events", "3 events"],
  ["repeats-event", "GW-STREAM-EVENTS", "the gateway repeats events of the stream", "4 events", "3 events"],
  [
    "drops-credentials",
    "GW-CREDENTIALS-PASSED",
    "the gateway removes the client's credentials",
    "no Authorization",
    "the Authorization header of the client",
  ],
  [
    "drops-error-headers",
    "GW-ERROR-HEADERS",
    "the gateway drops WWW-Authenticate",
    "no WWW-Authenticate",
    'WWW-Authenticate: Bearer realm="assay"',
  ],
  [
    "drops-query",
    "GW-REQUEST-TARGET",
    "the gateway drops the query parameter historyLength",
    "no query",
    "?historyLength=3",
  ],
  [
    "decodes-query",
    "GW-REQUEST-TARGET",
    "the gateway changes the query parameter pageToken",
    expect.stringContaining("pageToken=a+b/=="),
    expect.stringContaining("pageToken=a%2Bb%2F%3D%3D"),
  ],
  [
    "rejects-deletes",
    "GW-REQUEST-TARGET",
    "the gateway does not pass DELETE /tasks/<id>/pushNotificationConfigs/<id> on",
    "nothing: the gateway answers HTTP 405 itself",
    expect.stringMatching(/^DELETE \/tasks\//),
  ],
  [
    "caches-tasks",
    "GW-ANSWER-FRESH",
    "the gateway answers GetTask from a cache",
    expect.stringContaining("TASK_STATE_WORKING"),
    "TASK_STATE_COMPLETED",
  ],
  [
    "keeps-own-ids-in-errors",
    "GW-ERROR-BODY",
    "the error TASK_NOT_FOUND has another JSON-RPC id than the request",
    expect.stringMatching(/^\$\.id: "gw-/),
    expect.stringMatching(/^\$\.id: "[0-9a-f-]{36}"$/),
  ],
  [
    "keeps-own-ids-in-streams",
    "GW-STREAM-EVENTS",
    "event 1 has another JSON-RPC id than the request",
    expect.stringMatching(/^\$\.id: "gw-/),
    expect.stringMatching(/^\$\.id: "[0-9a-f-]{36}"$/),
  ],
  [
    "compresses-twice",
    "GW-COMPRESSION-ASKED",
    "the gateway compresses a response twice",
    "Content-Encoding: gzip, and a gzip body in the gzip body",
    "a body that its Content-Encoding decodes to the agent's JSON",
  ],
  [
    "shows-error-pages",
    "GW-ERROR-BODY",
    "the error TASK_NOT_FOUND is no longer JSON",
    "<h1>Error</h1>",
    expect.stringContaining('"message":"An error for the gateway test: TASK_NOT_FOUND"'),
  ],
] as const)("%s: the finding says what happens", async (fault, property, message, saw, want) => {
  const start = (port: number) => startFaultyGateway(port, fault);
  const report = await examinedThrough(start, { ...quick, only: [property] });
  expect(resultsOf(report).filter(({ verdict }) => verdict === "fail")).toContainEqual(
    expect.objectContaining({ test: property, message, saw, want }),
  );
});
