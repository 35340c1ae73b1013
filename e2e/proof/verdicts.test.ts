import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Testbed } from "@assay/agents";
import { type TestOptions, testAgent } from "@assay/suite";
import { exitCodeOf, foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { answer, type Doorman, type Front, startFront } from "./front.fixture.ts";
import { line, type Proof, type Proving, prove, startFixtures } from "./proving.fixture.ts";

/** The table of verdicts, levels and exit codes (DESIGN §7), case by case on agents that show each. */

let bed: Testbed;
const fronts: Front[] = [];
beforeAll(async () => {
  bed = await startFixtures();
});
afterAll(async () => {
  await Promise.all(fronts.map((front) => front.close()));
  await bed.close(0);
});

async function frontOf(path: string, doorman: Doorman, delayMs = 0): Promise<Front> {
  const front = await startFront(`${bed.url}/${path}`, doorman, delayMs);
  fronts.push(front);
  return front;
}

/** Runs on whatever stands at this address. */
const at = (url: string, base = "minimal", more: Parameters<typeof prove>[2]["more"] = {}): Promise<Proof> =>
  prove(bed, "", { base, more: { url, bindings: ["JSONRPC"], ...more } });

/** `npm run prove` tries all rules in all versions, over all bindings. */
const briefly: Partial<Proving> = provesAll ? {} : { binding: "JSONRPC", dialect: "1.0" };
const core: Partial<TestOptions> = provesAll ? {} : { dialects: ["1.0"], only: ["SEND-00*", "GET-*", "LIST-00*"] };

const failed = ({ results }: Proof): string[] => results.filter(({ verdict }) => verdict === "fail").map(line);

describe("nothing to test", () => {
  test("no agent responds: exit 2, no level, and the number of attempts", async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const { report } = await at(`http://127.0.0.1:${port}`, "minimal", { warmUp: 1_500 });
    expect(report).toMatchObject({ ending: "unreachable", conformanceLevel: null, summary: { total: 0 } });
    expect(report.message).toMatch(/^Cannot reach http:\/\/127\.0\.0\.1:\d+.* \(.*\d+ attempts in \d+ s\)\.$/);
    expect(report.hint).toContain("--start");
    expect(exitCodeOf(report)).toBe(2);
  });

  test("no card: exit 2, and where it was looked for", async () => {
    const front = await frontOf("minimal", (_, response) => answer(response, 404, { error: "nothing here" }));
    const { report } = await at(front.url);
    expect(report).toMatchObject({ ending: "no-card", conformanceLevel: null });
    expect(report.message).toContain("/.well-known/agent-card.json: HTTP 404");
    expect(report.hint).toContain("the address of the card itself");
    expect(exitCodeOf(report)).toBe(2);
  });

  test("a page where the card should be is no card", async () => {
    const front = await frontOf("minimal", (_, response) => {
      response.writeHead(200, { "Content-Type": "text/html" });
      response.end("<!doctype html><title>My app</title>");
      return true;
    });
    expect((await at(front.url)).report).toMatchObject({ ending: "no-card" });
  });

  test("a card behind a login: exit 2, and the flags that give one", async () => {
    const front = await frontOf("minimal", (_, response) =>
      answer(response, 401, {}, { "WWW-Authenticate": 'Bearer realm="corp"' }),
    );
    const { report } = await at(front.url);
    expect(report).toMatchObject({ ending: "login-required", conformanceLevel: null });
    expect(report.message).toContain('Bearer realm="corp"');
    expect(report.hint).toContain("--bearer env:TOKEN");
    expect(exitCodeOf(report)).toBe(2);
  });

  test("a public card, and an agent that asks for a login: exit 2, and which schemes the card names", async () => {
    const { report } = await prove(bed, "secure", { base: "nobody" });
    expect(report).toMatchObject({ ending: "login-required", conformanceLevel: null });
    expect(report.message).toContain('"bearer"');
    expect(exitCodeOf(report)).toBe(2);
  });

  test("a cold agent is given time to come up", async () => {
    let asked = 0;
    const front = await frontOf("minimal", (_, response) =>
      asked++ < 3 ? answer(response, 503, { error: "starting" }) : undefined,
    );
    const { report } = await at(front.url, "minimal", { only: ["SEND-001"] });
    expect(report.ending).toBe("done");
  });
});

describe("one root cause", () => {
  test("an address that does not speak the binding fails once, and blocks the other rules", async () => {
    const front = await frontOf("minimal", ({ method }, response) =>
      method === "POST" ? answer(response, 404, "Cannot POST /") : undefined,
    );
    const proof = await at(front.url);
    expect(failed(proof)).toEqual([expect.stringMatching(/^CARD-016 \| 1\.0 \| JSONRPC/)]);
    const { report } = proof;
    expect(report.summary.blocked).toBeGreaterThan(1);
    expect(report.rootCauses).toEqual([expect.objectContaining({ test: "CARD-016", blocks: report.summary.blocked })]);
    expect(report).toMatchObject({ conformanceLevel: "non-conformant" });
    expect(exitCodeOf(report)).toBe(1);
  });

  test("an agent that breaks down on every message fails the rule about sending, once", async () => {
    const front = await frontOf("minimal", ({ rpc, body }, response) =>
      rpc === "SendMessage" && body.includes("task-lifecycle hello")
        ? answer(response, 200, {
            jsonrpc: "2.0",
            id: JSON.parse(body).id,
            error: { code: -32603, message: "KeyError" },
          })
        : undefined,
    );
    const proof = await at(front.url, "minimal", { only: ["SEND-001", "GET-001", "GET-005"] });
    expect(failed(proof)).toEqual([expect.stringMatching(/^SEND-001 \| 1\.0 \| JSONRPC/)]);
    expect(proof.report.rootCauses).toEqual([expect.objectContaining({ test: "SEND-001" })]);
    expect(exitCodeOf(proof.report)).toBe(1);
  });
});

describe.concurrent("fairness", () => {
  test("an agent that breaks down once is asked again, and not accused", async () => {
    let sends = 0;
    const front = await frontOf("minimal", ({ rpc, body }, response) =>
      rpc === "SendMessage" && body.includes("task-lifecycle") && sends++ === 0
        ? answer(response, 200, { jsonrpc: "2.0", id: JSON.parse(body).id, error: { code: -32603, message: "oops" } })
        : undefined,
    );
    const proof = await at(front.url, "minimal", { only: ["SEND-001"] });
    expect(proof.results.map(line)).toEqual(["SEND-001 | 1.0 | JSONRPC | pass"]);
  });

  test("an agent that is always pressed is not examined, and the flag that helps is named", async () => {
    const front = await frontOf("minimal", ({ rpc }, response) =>
      rpc === "SendMessage" ? answer(response, 429, {}, { "Retry-After": "0" }) : undefined,
    );
    const { results, report } = await at(front.url, "minimal", { only: ["SEND-001"] });
    expect(results).toEqual([
      expect.objectContaining({
        verdict: "not-examined",
        unexamined: "unstable",
        enable: "--rate <requests per second>",
      }),
    ]);
    // Turned away unread, so no work was done.
    expect(report.summary.workingMessages).toBe(0);
    expect(report).toMatchObject({ outcome: "inconclusive", conformanceLevel: null });
    expect(exitCodeOf(report)).toBe(2);
  });

  test("an agent that limits concurrent requests is not accused", async () => {
    let [asked, refused] = [0, 0];
    const front = await frontOf("spec", ({ method }, response) => {
      if (method !== "POST" || asked++ % 12 < 11) return undefined;
      refused += 1;
      return answer(response, 429, { error: "slow down" }, { "Retry-After": "0" });
    });
    const proof = await at(front.url, "spec", { concurrency: 2, ...core });
    expect(refused).toBeGreaterThan(0);
    expect(failed(proof)).toEqual([]);
    expect(proof.report.summary.blocked).toBe(0);
  });

  test("an agent that takes its time for every answer is accused of nothing", async () => {
    const front = await frontOf("minimal", () => undefined, 150);
    const proof = await at(front.url, "minimal", core);
    expect(failed(proof)).toEqual([]);
    expect(proof.report.summary.blocked).toBe(0);
  });

  test("an agent that answered with messages made no task in this run: that is not known of it for good", async () => {
    const { results, report } = await prove(bed, "echo", {
      base: "echo",
      only: ["CARD-003", "SEND-001", "GET-001", "HIST-003"],
    });
    expect(report).toMatchObject({ outcome: "conformant", scope: "filtered", conformanceLevel: null });
    const aboutTasks = results.filter(({ test: id }) => id === "GET-001" || id === "HIST-003");
    expect(new Set(aboutTasks.map(({ verdict }) => verdict))).toEqual(new Set(["not-examined"]));
    expect(aboutTasks[0]).toMatchObject({ unexamined: "prompt", enable: expect.stringContaining("prompts.task") });
  });

  test("an unclear text is read leniently, and strictly where that was asked for", async () => {
    const path = "mutants/LIST-003.no-token";
    const lenient = await prove(bed, path, { base: "spec", only: ["LIST-003"], binding: "JSONRPC" });
    expect(lenient.results).toEqual([expect.objectContaining({ verdict: "pass", warning: expect.any(String) })]);
    expect(exitCodeOf(lenient.report)).toBe(0);
    expect(exitCodeOf(lenient.report, { failOn: "should" })).toBe(1);
    const strict = await prove(bed, path, {
      base: "spec",
      only: ["LIST-003"],
      binding: "JSONRPC",
      more: { strict: true },
    });
    expect(strict.results).toEqual([expect.objectContaining({ verdict: "fail" })]);
    expect(exitCodeOf(strict.report)).toBe(1);
    expect(exitCodeOf(strict.report, { failOn: "never" })).toBe(0);
  });
});

describe("what was not examined", () => {
  test("a budget caps the messages, and what it cut says so", async () => {
    const { results, report } = await prove(bed, "spec", { base: "spec", ...briefly, more: { budget: 2, ...core } });
    expect(report.summary.workingMessages).toBeLessThanOrEqual(2);
    const cut = results.filter(({ unexamined }) => unexamined === "budget");
    expect(cut.length).toBeGreaterThan(0);
    expect(new Set(cut.map(({ enable }) => enable?.replace(/ \d+$/, "")))).toEqual(new Set(["--budget"]));
  });

  test("at depth quick an agent gets eight messages at most, over all its interfaces", async () => {
    const { events, report } = await prove(bed, "full", { base: "full", more: { depth: "quick" } });
    expect(events.find((event) => event.event === "planned")?.workingMessages).toBeLessThanOrEqual(8);
    expect(report.summary.workingMessages).toBeLessThanOrEqual(8);
    expect(report.conformanceLevel).not.toBe("full");
  });

  test("at depth free it gets none, and there is nothing that a level could rest on", async () => {
    const { report } = await prove(bed, "spec", { base: "spec", ...briefly, more: { depth: "free" } });
    expect(report.summary.workingMessages).toBe(0);
    expect(report).toMatchObject({ outcome: "conformant", scope: "free", conformanceLevel: null });
    expect(exitCodeOf(report)).toBe(0);
  });

  test("at depth card nothing but the card is asked for", async () => {
    const front = await frontOf("minimal", () => undefined);
    const { report } = await at(front.url, "minimal", { depth: "card" });
    expect(new Set(front.knocks.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(report.conformanceLevel).toBe(null);
  });

  test("a filter leaves out the rest, and it is counted", async () => {
    const { report } = await prove(bed, "minimal", { base: "minimal", only: ["CARD-*"], binding: "JSONRPC" });
    const left = resultsOf(report).filter(({ unexamined }) => unexamined === "filter");
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter(({ test: id }) => id.startsWith("CARD-"))).toEqual([]);
  });
});

describe("an end before the end", () => {
  test("an interrupted run reports what was done, and takes back what it started", async () => {
    const stop = new AbortController();
    const events: RunEvent[] = [];
    // Until a task is seen at work that would go on for a minute.
    const watch = setInterval(async () => {
      if (JSON.stringify(await working()).includes("slow 1200")) stop.abort();
    }, 50);
    for await (const event of testAgent({
      url: `${bed.url}/spec`,
      run: "r",
      version: "test",
      connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
      prompts: { slow: "slow 1200" },
      // Long enough for the clean-up on a busy machine.
      shutdownTimeout: 120_000,
      signal: stop.signal,
    }))
      events.push(event);
    clearInterval(watch);
    const report = foldRun(events);
    expect(report.ending).toBe("interrupted");
    expect(exitCodeOf(report)).toBe(130);
    expect(report.summary.passed).toBeGreaterThan(0);
    expect(report.summary.failed).toBe(0);
    expect(await working()).toEqual([]);
  });

  async function working(): Promise<unknown> {
    const headers = { "A2A-Version": "1.0" };
    const answered = await fetch(`${bed.url}/spec/tasks?status=TASK_STATE_WORKING`, { headers });
    return ((await answered.json()) as { tasks: unknown }).tasks;
  }

  test("a run that was cut off in the middle still gives a report", async () => {
    const { events } = await prove(bed, "minimal", { base: "minimal", binding: "JSONRPC", only: ["SEND-*"] });
    const report = foldRun(events.slice(0, Math.floor(events.length / 2)));
    expect(report.ending).toBe("cut-off");
  });
});

describe("where credentials go", () => {
  test("a host that the user did not name gets none, and an internal one is not contacted at all", async () => {
    const front = await frontOf("minimal", ({ path }, response) =>
      path.endsWith("agent-card.json")
        ? answer(response, 200, {
            name: "far",
            description: "",
            version: "1",
            capabilities: {},
            skills: [],
            defaultInputModes: ["text/plain"],
            defaultOutputModes: ["text/plain"],
            supportedInterfaces: [
              { url: "http://169.254.169.254/latest", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
            ],
          })
        : undefined,
    );
    const { results, report } = await at(front.url, "spec");
    expect(report).toMatchObject({ ending: "no-usable-interface", outcome: "inconclusive" });
    expect(report.notes).toEqual([expect.stringContaining("http://169.254.169.254/latest was not tested")]);
    const asked = results.filter(({ interface: on }) => on !== undefined);
    expect(asked.filter(({ verdict }) => verdict === "pass" || verdict === "fail").map(line)).toEqual([]);
    expect(asked.some(({ enable }) => enable === "--allow-host 169.254.169.254")).toBe(true);
    expect(new Set(asked.flatMap(({ unexamined }) => unexamined ?? []))).toContain("egress");
    expect(asked.filter(({ unexamined }) => unexamined === "login" || unexamined === "credentials")).toEqual([]);
  });
});
