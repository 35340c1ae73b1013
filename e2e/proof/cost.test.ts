import { type TestOptions, testAgent } from "@assay/suite";
import { foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { afterEach, describe, expect, test } from "vitest";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { type CredulousAgent, startCredulous } from "./credulous.fixture.ts";
import { answer, startFront } from "./front.fixture.ts";
import { startFixtures } from "./proving.fixture.ts";

/** What a run costs is announced and never exceeded, also by an agent that takes whatever it is sent. */

let agent: CredulousAgent | undefined;
afterEach(async () => {
  await agent?.close();
  agent = undefined;
});

async function run(more: Partial<TestOptions>) {
  const events: RunEvent[] = [];
  const connection = { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) };
  const options = { url: agent?.url ?? "", run: "cost", version: "0.0.0", connection, grace: 200, ...more };
  for await (const event of testAgent(options)) events.push(event);
  const report = foldRun(events);
  const { JSONRPC = 0, "HTTP+JSON": rest = 0 } = agent?.sends ?? {};
  return {
    announced: events.find((event) => event.event === "planned"),
    results: resultsOf(report),
    counted: report.summary.workingMessages,
    sends: JSONRPC + rest,
  };
}

type Results = Awaited<ReturnType<typeof run>>["results"];

/** The rules that a malformed message was found to break, with evidence. */
const accepted = (results: Results): string[] =>
  results.flatMap(({ test: id, verdict, message, evidence, interface: on }) =>
    verdict === "fail" && message?.endsWith("returns no error") && evidence.length > 0 ? [`${id} ${on?.binding}`] : [],
  );

const sayingWhy = (results: Results, reason: "budget" | "depth"): Set<string | undefined> =>
  new Set(results.filter(({ unexamined }) => unexamined === reason).map(({ enable }) => enable));

describe("on an agent that validates nothing", () => {
  test("depth card sends no message", async () => {
    agent = await startCredulous();
    const { announced, sends } = await run({ depth: "card" });
    expect(announced).toMatchObject({ workingMessages: 0 });
    expect(announced).not.toHaveProperty("ifAccepted");
    expect(sends).toBe(0);
  });

  test("depth free ends with the first that an interface accepts, and says which rule that breaks", async () => {
    agent = await startCredulous();
    const { announced, results, counted } = await run({ depth: "free" });
    expect(announced).toMatchObject({ workingMessages: 0, ifAccepted: 2 });
    expect(agent.sends).toEqual({ JSONRPC: 1, "HTTP+JSON": 1 });
    expect(counted).toBe(2);
    expect(accepted(results)).toEqual(expect.arrayContaining(["ERR-004 JSONRPC", "ERR-004 HTTP+JSON"]));
    expect(results.find(({ test: id }) => id === "SEND-004")).toMatchObject({
      verdict: "not-examined",
      unexamined: "budget",
      message: "the agent accepted a malformed message over this interface, so Assay sends no more of them",
      enable: "--depth full",
    });
  });

  test("so does a first contact that has to send something", async () => {
    agent = await startCredulous((request, response) => {
      if (!request.url?.startsWith("/rest/tasks")) return false;
      response.writeHead(404).end();
      return true;
    });
    await run({ depth: "free" });
    expect(agent.sends).toEqual({ JSONRPC: 1, "HTTP+JSON": 1 });
  });

  const limits: readonly Partial<TestOptions>[] = [
    { depth: "quick" },
    { depth: "full" },
    { depth: "quick", budget: 1 },
    { depth: "full", budget: 3 },
    { depth: "quick", budget: 0 },
    { depth: "quick", only: ["SEND-00*"] },
  ];

  test.each(sampleOf(limits, 3))("no more is sent than was announced, and as much is counted: %j", async (more) => {
    agent = await startCredulous();
    const { announced, counted, sends } = await run(more);
    const limit = more.budget ?? (more.depth === "quick" ? 8 : 80);
    expect(announced!.workingMessages).toBeLessThanOrEqual(limit);
    expect(sends).toBeLessThanOrEqual(announced!.workingMessages);
    expect(counted).toBe(sends);
  });

  test("quick shows one fault; what is left out says what would help", async () => {
    agent = await startCredulous();
    const quick = await run({ depth: "quick" });
    expect(accepted(quick.results)).toContainEqual(expect.stringContaining("ERR-004"));
    expect(sayingWhy(quick.results, "budget")).toEqual(new Set(["--depth full"]));
  });

  testIf(provesAll)("full shows the others", async () => {
    agent = await startCredulous();
    const full = await run({ depth: "full" });
    expect(accepted(full.results)).toEqual(
      expect.arrayContaining(
        ["ERR-004", "CTX-008", "STREAM-017", "SEC-010"].flatMap((id) => [`${id} JSONRPC`, `${id} HTTP+JSON`]),
      ),
    );
    // Where the messages do not suffice, a deeper test is not the way out.
    expect(sayingWhy(full.results, "budget")).not.toContain("--depth full");
  });
});

test("what a failing gateway turns away costs nothing: every rule that the messages are for is examined", async () => {
  let sends = 0;
  const bed = await startFixtures();
  const front = await startFront(`${bed.url}/spec`, ({ rpc }, response) => {
    if (!rpc?.startsWith("Send") || ++sends > 4) return undefined;
    return answer(response, 503, { error: "later" }, { "Retry-After": "0" });
  });
  const only = ["SEND-001", "SEND-004", "GET-001", "STREAM-001"];
  const { announced, results, counted } = await run({ url: front.url, depth: "quick", bindings: ["JSONRPC"], only });
  await front.close();
  await bed.close(0);
  expect(sends).toBeGreaterThan(4 + counted);
  expect(counted).toBeGreaterThan(0);
  expect(counted).toBeLessThanOrEqual(announced!.workingMessages);
  expect(results.filter(({ unexamined }) => unexamined === "budget" || unexamined === "unstable")).toEqual([]);
});
