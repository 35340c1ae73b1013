import { exitCodeOf, resultsOf } from "@assay/suite/report";
import type { HeaderPairs } from "@assay/wire";
import { describe, expect, test } from "vitest";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { startRecordingServer } from "../fixtures/recording-server.fixture.ts";
import { brokenIn, type Examined, examined, reportedIn } from "./direct-run.fixture.ts";
import { type Gateway, gatewayLimits, startFaultyGateway, startTcpProxy } from "./planted-gateway.fixture.ts";
import { hasGateway, startGateway } from "./real-gateways.fixture.ts";

const reported = ({ report }: Examined): string[] => reportedIn(report);

const verdictOf = ({ report }: Examined, id: string): unknown =>
  resultsOf(report).find(({ test: each, interface: on }) => each === id && (on?.binding ?? "JSONRPC") === "JSONRPC")
    ?.verdict;

const seeds = provesAll ? Array.from({ length: 20 }, (_, n) => n + 1) : [1];

describe.concurrent("an agent with random content", () => {
  test.each(seeds)("nothing is reported behind a TCP proxy (seed %i)", async (seed) => {
    expect(reported(await examined(startTcpProxy, { seed, gapMs: 500, depth: "full" }))).toEqual([]);
  });

  test("nothing is reported if it takes the addresses of its card from the request", async ({ expect }) => {
    const found = await examined(startTcpProxy, { seed: 4, gapMs: 50, publicUrl: () => undefined });
    expect(reported(found)).toEqual([]);
    expect(verdictOf(found, "GW-CARD-ADDRESSES")).toBe("pass");
  });
});

describe.concurrent("an agent with steady streams", () => {
  const fast = { seed: 5, gapMs: 20, isSteady: true } as const;
  /** slow enough to show that a gateway holds events back */
  const steady = { ...fast, gapMs: 800 };

  test("everything that shows is examined, with both exchanges", async ({ expect }) => {
    const found = await examined(startTcpProxy, steady);
    expect(reported(found)).toEqual([]);
    expect(resultsOf(found.report).filter(({ warning }) => warning !== undefined)).toEqual([]);
    const passed = resultsOf(found.report).filter(({ verdict }) => verdict === "pass");
    expect([...new Set(passed.map(({ test: id }) => id))].toSorted()).toEqual([
      "GW-ANSWER-CONTENT-TYPE",
      "GW-BODY-ANSWER",
      "GW-CARD-ADDRESSES",
      "GW-CARD-CACHING",
      "GW-CARD-MEMBERS",
      "GW-CARD-SERVED",
      "GW-ERROR-BODY",
      "GW-ERROR-STATUS",
      "GW-HEADER-A2A-VERSION",
      "GW-STREAM-EVENTS",
      "GW-STREAM-TIMING",
    ]);
    expect(passed.filter(({ evidence }) => evidence.length !== 2)).toEqual([]);
    const unseen = resultsOf(found.report).find(({ test: id }) => id === "GW-DELIVERY-ONCE");
    expect(unseen).toMatchObject({
      verdict: "not-examined",
      message: "Assay cannot see what reaches your agent",
      enable: "a run without --direct",
    });
  });

  const faults = {
    "drops-card-members": ["GW-CARD-MEMBERS"],
    "changes-status": ["GW-ERROR-STATUS"],
    "rewrites-errors": ["GW-ERROR-BODY"],
    "changes-type": ["GW-ANSWER-CONTENT-TYPE"],
    "drops-version": ["GW-HEADER-A2A-VERSION"],
    "buffers-streams": ["GW-STREAM-TIMING"],
    "cuts-streams": ["GW-STREAM-EVENTS"],
    "drops-artifacts": ["GW-STREAM-EVENTS"],
    "drops-last-event": ["GW-STREAM-EVENTS"],
    "keeps-own-ids-in-errors": ["GW-ERROR-BODY"],
    "keeps-own-ids-in-streams": ["GW-STREAM-EVENTS"],
  } as const;

  const slow = ["buffers-streams", "cuts-streams"];

  /** `npm test` tries every third of them. */
  test.each(sampleOf(Object.entries(faults), 3))("a gateway is found that %s", async (fault, broken) => {
    const setting = slow.includes(fault) ? steady : fast;
    const found = await examined((port) => startFaultyGateway(port, fault as keyof typeof faults), setting);
    expect(brokenIn(found)).toEqual(broken);
    expect(exitCodeOf(found.report)).toBe(1);
    const failed = resultsOf(found.report).filter(({ verdict }) => verdict === "fail");
    expect(failed.filter(({ evidence }) => evidence.length !== 2)).toEqual([]);
  });

  test("a lost version shows on an agent that assumes one", async ({ expect }) => {
    const start = (port: number): Promise<Gateway> => startFaultyGateway(port, "drops-version");
    const found = await examined(start, { ...fast, assumesVersion: true });
    expect(brokenIn(found)).toEqual(["GW-HEADER-A2A-VERSION"]);
  });

  test.each(["drops-version", "names-older-version"] as const)(
    "a gateway that %s is found on an agent that names the version in its error",
    async (fault) => {
      const found = await examined((port) => startFaultyGateway(port, fault), { ...fast, namesVersion: true });
      expect(brokenIn(found)).toEqual(["GW-HEADER-A2A-VERSION"]);
    },
  );

  test("a gateway without a card is not blamed", async ({ expect }) => {
    const found = await examined((port) => startFaultyGateway(port, "serves-no-card-at-all"), fast);
    expect(reported(found)).toEqual([]);
    expect(verdictOf(found, "GW-CARD-SERVED")).toBe("not-examined");
  });

  test("a card at the root of the host is found", async ({ expect }) => {
    const found = await examined((port) => startFaultyGateway(port, "serves-card-at-root"), fast);
    expect(reported(found)).toEqual([]);
    expect(verdictOf(found, "GW-CARD-SERVED")).toBe("pass");
  });

  test("an HTTP proxy that changes nothing breaks nothing", async ({ expect }) => {
    expect(reported(await examined((port) => startFaultyGateway(port, "harmless"), fast))).toEqual([]);
  });

  test.each(["answers-unknown-methods", "rejects-malformed-bodies"] as const)(
    "a gateway that %s breaks nothing",
    async (quirk) => {
      const found = await examined((port) => startFaultyGateway(port, quirk), fast);
      expect(brokenIn(found)).toEqual([]);
      expect(reported(found)[0]).toMatch(/^GW-ERROR-BODY the gateway itself (answers|rejects)/);
    },
  );

  test("an interface without a route at the gateway is not examined, and gets no messages", async ({ expect }) => {
    const found = await examined((port) => startFaultyGateway(port, "routes-rpc-only"), { ...fast, depth: "full" });
    expect(reported(found)).toEqual([]);
    expect(found.agent.messages()).toBe(6);
    const rest = resultsOf(found.report).filter(({ interface: on }) => on?.binding === "HTTP+JSON");
    expect([...new Set(rest.map(({ verdict, message }) => `${verdict}: ${message}`))]).toEqual([
      "not-examined: the gateway answered HTTP 404",
    ]);
  });

  test.each([
    ["asks-for-login", /asks for credentials: HTTP 401\.$/, "login-required"],
    ["redirects", /redirects to https:\/\/gateway\.invalid\/rpc\.$/, "unreachable"],
  ] as const)("nothing is compared if the gateway %s", async (quirk, message, ending) => {
    const { report, agent } = await examined((port) => startFaultyGateway(port, quirk), fast);
    expect(report).toMatchObject({ ending, message: expect.stringMatching(message) as unknown });
    expect(exitCodeOf(report)).toBe(2);
    expect(agent.messages()).toBe(0);
  });

  test("a card with the agent's own address causes a warning", async ({ expect }) => {
    let agentUrl = "";
    const start = async (port: number): Promise<Gateway> => {
      agentUrl = `http://localhost:${port}`;
      return startTcpProxy(port);
    };
    const found = await examined(start, { ...fast, publicUrl: () => agentUrl });
    expect(reported(found)).toEqual([]);
    const { warning, remedy } = resultsOf(found.report).find(({ test: id }) => id === "GW-CARD-ADDRESSES")!;
    expect(warning).toBe(`the card declares ${agentUrl}/rpc, so clients bypass the gateway`);
    expect(remedy).toContain("Declare addresses at");
    expect(exitCodeOf(found.report)).toBe(0);
  });
});

describe.runIf(provesAll && hasGateway("nginx")).concurrent("nginx", () => {
  const slow = { seed: 12, gapMs: 800, isSteady: true } as const;

  test("holds streams back by default", async ({ expect }) => {
    const found = await examined((port) => startGateway("nginx", port, ""), slow);
    expect(brokenIn(found)).toEqual(["GW-STREAM-TIMING"]);
    expect(resultsOf(found.report).find(({ verdict }) => verdict === "fail")?.remedy).toContain("proxy_buffering off;");
  });

  test("preserves everything without buffering", async ({ expect }) => {
    const found = await examined((port) => startGateway("nginx", port, "proxy_buffering off;"), slow);
    expect(brokenIn(found)).toEqual([]);
    expect(verdictOf(found, "GW-STREAM-TIMING")).toBe("pass");
  });
});

test.each([
  ["quick", "depth", "--depth full --rude"],
  ["full", "rude", "--rude"],
] as const)("load and size are not examined at depth %s without permission", async (depth, unexamined, enable) => {
  const { report } = await examined(startTcpProxy, { seed: 14, gapMs: 20, isSteady: true, depth });
  const loads = resultsOf(report).filter(({ test: id }) => (Object.values(gatewayLimits) as string[]).includes(id));
  expect(loads.map(({ verdict, unexamined: why, enable: by }) => ({ verdict, why, by }))).toEqual(
    loads.map(() => ({ verdict: "not-examined", why: unexamined, by: enable })),
  );
  expect(loads).toHaveLength(8);
});

describe.concurrent("messages", () => {
  test.each([
    ["quick", 8],
    ["full", 16],
  ] as const)("depth %s announces at most %i messages and sends no more, even if all fail", async (depth, most) => {
    const setting = { seed: 6, gapMs: 20, isSteady: true, depth } as const;
    const { events, agent, report } = await examined((port) => startFaultyGateway(port, "cuts-streams"), setting);
    const planned = events.find((event) => event.event === "planned");
    expect(planned).toMatchObject({ workingMessages: most });
    expect(agent.messages()).toBeLessThanOrEqual(most);
    expect(report.summary.workingMessages).toBe(agent.messages());
    expect(events.filter((event) => event.event === "exchange" && event.working)).toHaveLength(agent.messages());
  });

  test("tasks that wait are cancelled", async ({ expect }) => {
    const { agent } = await examined(startTcpProxy, { seed: 8, gapMs: 20, isSteady: true, asksBack: true });
    expect(agent.cancelled()).toBe(agent.messages());
  });
});

test("tasks that cannot be cancelled are named", async () => {
  const setting = { seed: 8, gapMs: 20, isSteady: true, asksBack: true, keepsTasks: true } as const;
  const { events, agent } = await examined(startTcpProxy, setting);
  const notes = events.flatMap((event) => (event.event === "note" ? event.text : []));
  expect(agent.messages()).toBeGreaterThan(5);
  expect(notes).toContainEqual(
    expect.stringMatching(/^Assay could not cancel these tasks, so they may still run: ([\w-]{36}, ){5}and \d+ more$/),
  );
});

describe.concurrent("credentials", () => {
  const token = "s3cret-t0ken";

  test("they go to both named addresses, and the login of the agent is compared", async ({ expect }) => {
    const headers: HeaderPairs = [["Authorization", `Bearer ${token}`]];
    const found = await examined(startTcpProxy, { seed: 9, gapMs: 20, isSteady: true, token, headers });
    expect(reported(found)).toEqual([]);
    expect(verdictOf(found, "GW-ERROR-HEADERS")).toBe("pass");
    expect(JSON.stringify(found.events)).not.toContain(token);
  });

  test("they go to no address that the card or a redirect names", async ({ expect }) => {
    const elsewhere = await startRecordingServer();
    const headers: HeaderPairs = [["Authorization", `Bearer ${token}`]];
    try {
      const there = `http://127.0.0.1:${elsewhere.port}`;
      const found = await examined(startTcpProxy, { seed: 10, gapMs: 20, token, headers, publicUrl: () => there });
      expect(elsewhere.heard()).toBe("");
      expect(found.agent.messages()).toBeGreaterThan(0);
    } finally {
      await elsewhere.close();
    }
  });

  test("without them, nothing can be compared", async ({ expect }) => {
    const { report } = await examined(startTcpProxy, { seed: 11, gapMs: 20, token });
    expect(report.ending).toBe("login-required");
    expect(report.hint).toContain("--bearer");
    expect(exitCodeOf(report)).toBe(2);
  });
});
