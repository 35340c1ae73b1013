import { mkdtempSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../../packages/cli/src/main.ts";
import { paperScreen } from "../../packages/cli/src/screen.fixture.ts";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";

/** `assay test --procedure`: the steps of docs/procedure.md, on agents of ours and on a small one written for this test. */

const bed = useTestbed({ timeScale: 0.05 });

interface Result {
  readonly test: string;
  readonly category: string;
  readonly status: string;
  readonly message?: string;
  readonly duration_ms?: number;
}

interface Report {
  readonly summary: { total: number; passed: number; failed: number; skipped: number };
  readonly categories: Record<string, readonly Result[]>;
  readonly conformanceLevel: string;
  readonly outcome?: string;
}

async function procedure(
  url: string,
  ...flags: readonly string[]
): Promise<{ code: number; report: Report; failed: string[] }> {
  const screen = paperScreen();
  const code = await run(["test", url, "--procedure", "--json", "--no-record", "--no-config", ...flags], screen);
  const report = JSON.parse(screen.out()) as Report;
  const failed = Object.values(report.categories)
    .flat()
    .filter(({ status }) => status === "fail")
    .map((result) => result.test);
  return { code, report, failed };
}

const statusOf = ({ categories }: Report, name: string): string | undefined =>
  Object.values(categories)
    .flat()
    .find((result) => result.test === name)?.status;

describe("agents of the test bed", () => {
  testIf(provesAll)(
    "/spec01 passes every step, with every skill tried, and the report has just the members of step 5.1",
    async () => {
      const { code, report, failed } = await procedure(`${bed.url}/spec01`);
      expect([code, failed, report.conformanceLevel]).toEqual([0, [], "full"]);
      expect(Object.keys(report)).toEqual([
        "agentUrl",
        "agentName",
        "agentVersion",
        "testDate",
        "summary",
        "categories",
        "conformanceLevel",
      ]);
      const results = Object.values(report.categories).flat();
      const known = ["test", "category", "status", "message", "duration_ms"];
      expect(results.flatMap((result) => Object.keys(result).filter((name) => !known.includes(name)))).toEqual([]);
      const { total, passed, skipped } = report.summary;
      expect([total, passed + skipped]).toEqual([results.length, results.length]);
    },
  );

  test("a cancel without effect fails, and the level is minimal", async () => {
    const { code, report, failed } = await procedure(`${bed.url}/mutants/CANCEL-001.no-effect@spec01`);
    expect([code, failed, report.conformanceLevel]).toEqual([1, ["cancel-task"], "minimal"]);
    const { message } = report.categories["lifecycle"]!.find((result) => result.test === "cancel-task")!;
    expect(message).toMatch(/\(saw working, then completed; want .+\)$/);
  });

  testIf(provesAll)("an invalid card is a result, and the run goes on", async () => {
    const { report, failed } = await procedure(`${bed.url}/mutants/CARD-025.string@spec01`);
    expect(failed).toContain("agent-card-capabilities");
    expect([statusOf(report, "task-submission"), report.conformanceLevel]).toEqual(["pass", "non-conformant"]);
  });

  testIf(provesAll)("--peer adds the four results of step 5.5 by name", async () => {
    const { report } = await procedure(`${bed.url}/spec01`, "--peer", `${bed.url}/spec01`, "--budget", "20");
    expect(report.categories["interop"]!.map((result) => [result.test, result.status])).toEqual([
      ["discovers", "pass"],
      ["a-to-b", "pass"],
      ["b-to-a", "pass"],
      ["concurrent", "pass"],
    ]);
  });

  test("when nothing can be examined, the result is inconclusive and the exit code 2", async () => {
    const { code, report } = await procedure(`${bed.url}/secure`);
    expect([code, report.outcome, report.conformanceLevel]).toEqual([2, "inconclusive", "non-conformant"]);
  });

  testIf(provesAll)(
    "Markdown has the table of failed tests with recommendations; JUnit and the terminal say procedure",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "assay-procedure-"));
      const [markdown, junit] = [join(folder, "p.md"), join(folder, "p.xml")];
      const screen = paperScreen();
      const url = `${bed.url}/mutants/CANCEL-001.no-effect@spec01`;
      const flags = ["--procedure", "--no-record", "--no-config"];
      await run(["test", url, ...flags, "--report", `markdown=${markdown}`, "--report", `junit=${junit}`], screen);
      expect(readFileSync(markdown, "utf8")).toMatch(
        /## Failed Tests\n\n\| Test \| Category \| Message \| Recommendation \|\n.*\n\| cancel-task \| lifecycle \| .+ \| .+ \|\n/,
      );
      expect(readFileSync(junit, "utf8")).toContain('<testcase name="2.3 cancel-task" classname="procedure.lifecycle"');
      expect(screen.out()).toMatch(/2\.3 +FAIL {2}cancel-task/);
      expect(screen.out()).toMatch(/Procedure: level minimal/);
      expect(screen.out()).not.toMatch(/conformant/);
    },
  );

  test("at depth free no skill is tried, because that takes a message", async () => {
    const { report } = await procedure(`${bed.url}/spec01`, "--depth", "free");
    expect(statusOf(report, "task-submission")).toBe("skip");
  });

  test("options about A2A conformance are refused", async () => {
    const screen = paperScreen();
    expect(await run(["test", bed.url, "--procedure", "--require-level", "full"], screen)).toBe(2);
    expect(screen.err()).toContain("--procedure cannot be combined with --require-level");
  });
});

/** A 0.1 agent of a few lines, and what can be wrong with it. */
interface Fault {
  readonly card?: Record<string, unknown>;
  readonly crashesOnNoMethod?: boolean;
  readonly artifactFirst?: boolean;
  readonly leavesOpen?: boolean;
  /** the HTTP status for a caller without credentials; 200 with a JSON-RPC error */
  readonly loginStatus?: number;
  readonly isCardGuarded?: boolean;
}

async function agent(fault: Fault): Promise<{ url: string; server: Server }> {
  const tasks = new Map<string, object>();
  const status = (state: string) => ({ state, timestamp: new Date().toISOString() });
  const history = ["user", "agent"].map((role) => ({ role, parts: [{ type: "text", text: "hi" }] }));
  const server = createServer(async (request, response) => {
    const { port } = server.address() as AddressInfo;
    const answer = (body: unknown) =>
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    const isKnown = request.headers.authorization === "Bearer small-token";
    if (request.method === "GET" && fault.isCardGuarded && !isKnown) return void response.writeHead(401).end();
    if (request.method === "GET") {
      const skill = {
        id: "s",
        name: "S",
        description: "d",
        examples: ["hi"],
        inputModes: ["text"],
        outputModes: ["text"],
      };
      answer({
        name: "Small",
        description: "d",
        url: `http://127.0.0.1:${port}/`,
        version: "1",
        capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: false },
        skills: [skill],
        ...(fault.loginStatus !== undefined && { authentication: { schemes: ["bearer"] } }),
        ...fault.card,
      });
      return;
    }
    const call = parsed(await bodyOf(request));
    if (fault.crashesOnNoMethod && call?.method === undefined) {
      request.socket.destroy();
      return;
    }
    const id = call?.id ?? null;
    const refuse = (code: number, message: string) => answer({ jsonrpc: "2.0", id, error: { code, message } });
    if (!call || typeof call.method !== "string") return void refuse(call ? -32600 : -32700, "Invalid request");
    if (fault.loginStatus !== undefined && !isKnown)
      return void response
        .writeHead(fault.loginStatus, { "Content-Type": "application/json", "WWW-Authenticate": "Bearer" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message: "Log in first" } }));
    const { params = { id: "" } } = call;
    const artifacts = [{ index: 0, parts: [{ type: "text", text: "hi" }] }];
    const task = { id: params.id, sessionId: params.sessionId ?? "s", status: status("completed"), artifacts, history };
    if (call.method === "tasks/send") {
      tasks.set(params.id, task);
      answer({ jsonrpc: "2.0", id, result: task });
    } else if (call.method === "tasks/sendSubscribe") {
      tasks.set(params.id, task);
      const artifact = { id: params.id, artifact: artifacts[0] };
      const working = { id: params.id, status: status("working"), final: false };
      const done = { id: params.id, status: status("completed"), final: true };
      const events = fault.artifactFirst ? [artifact, working, done] : [working, artifact, done];
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      for (const result of events) response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
      if (!fault.leavesOpen) response.end();
    } else if (call.method === "tasks/get" || call.method === "tasks/cancel") {
      const known = tasks.get(params.id);
      if (!known) refuse(-32001, "Task not found");
      else if (call.method === "tasks/cancel") refuse(-32002, "Task cannot be canceled");
      else answer({ jsonrpc: "2.0", id, result: { ...known, history: history.slice(-(params.historyLength ?? 2)) } });
    } else refuse(-32601, "Method not found");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}

interface Call {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { id: string; sessionId?: string; historyLength?: number };
}

function parsed(body: string): Call | undefined {
  try {
    return JSON.parse(body) as Call;
  } catch {
    return undefined;
  }
}

describe("a small agent that is not ours", () => {
  const servers: Server[] = [];
  const urlOf = async (fault: Fault): Promise<string> => {
    const { url, server } = await agent(fault);
    servers.push(server);
    return url;
  };
  afterAll(() => {
    for (const server of servers) server.close().closeAllConnections();
  });
  let good = "";
  beforeAll(async () => {
    good = await urlOf({});
  });

  test("passes every step that concerns it", async () => {
    const { code, failed, report } = await procedure(good);
    expect([code, failed, report.conformanceLevel]).toEqual([0, [], "partial"]);
  });

  const withPeer = async (peer: string): Promise<string[]> => {
    const { report } = await procedure(`${bed.url}/spec01`, "--budget", "5", "--peer", peer);
    return report.categories["interop"]!.map((result) => result.status);
  };

  testIf(provesAll)(
    "as a peer that cannot relay, it is never asked to send, and both at once is not examined",
    async () => {
      expect(await withPeer(good)).toEqual(["pass", "pass", "skip", "skip"]);
    },
  );

  testIf(provesAll)("a peer that cannot be reached leaves the four results of step 5.5 as skipped", async () => {
    expect(await withPeer("http://127.0.0.1:1")).toEqual(["skip", "skip", "skip", "skip"]);
  });

  test.each<[string, Fault, string, string]>([
    ["401 without credentials", { loginStatus: 401 }, "pass", "pass"],
    ["a JSON-RPC error instead of 401", { loginStatus: 200 }, "fail", "pass"],
    ["a card that asks for a login", { loginStatus: 401, isCardGuarded: true }, "pass", "fail"],
  ])("%s", async (_, fault, asked, isPublic) => {
    process.env["ASSAY_PROCEDURE_TOKEN"] = "small-token";
    const { report } = await procedure(await urlOf(fault), "--bearer", "env:ASSAY_PROCEDURE_TOKEN");
    expect([statusOf(report, "authentication-required"), statusOf(report, "agent-card-public")]).toEqual([
      asked,
      isPublic,
    ]);
  });

  test.each<[string, Fault, string, string]>([
    ["401", { loginStatus: 401 }, "pass", "pass"],
    ["a JSON-RPC error", { loginStatus: 200 }, "fail", "pass"],
    ["401 for the card", { loginStatus: 401, isCardGuarded: true }, "skip", "fail"],
  ])(
    "who has no credentials and gets %s learns that much, and the run is inconclusive",
    async (_, fault, asked, isPublic) => {
      const { code, report } = await procedure(await urlOf(fault));
      expect([code, report.outcome]).toEqual([2, "inconclusive"]);
      expect([statusOf(report, "authentication-required"), statusOf(report, "agent-card-public")]).toEqual([
        asked,
        isPublic,
      ]);
    },
  );

  testIf(provesAll)("a stream that stays open fails as a stream", async () => {
    const { code, failed } = await procedure(await urlOf({ leavesOpen: true }), "--grace", "3");
    expect([code, failed]).toEqual([1, ["sse-final-event"]]);
  });

  test("an agent that asks for a login with a JSON-RPC error is accused of nothing by A2A rules", async () => {
    const screen = paperScreen();
    const code = await run(["test", await urlOf({ loginStatus: 200 }), "--json", "--no-record", "--no-config"], screen);
    const { summary, outcome } = JSON.parse(screen.out()) as Report;
    expect([code, outcome, summary.failed]).toEqual([2, "inconclusive", 0]);
  });

  test.each<[string, Fault, string, string]>([
    [
      "a skill without inputModes",
      { card: { skills: [{ id: "s", name: "S", description: "d", examples: ["hi"], outputModes: ["text"] }] } },
      "agent-card-skills",
      "non-conformant",
    ],
    [
      "OAuth2 without tokenUrl",
      { card: { authentication: { schemes: ["oauth2"] } } },
      "agent-card-authentication",
      "non-conformant",
    ],
    [
      "an API key without a header name",
      { card: { authentication: { schemes: ["apiKey"], credentials: "{}" } } },
      "agent-card-authentication",
      "non-conformant",
    ],
    ["a stream that opens with an artifact", { artifactFirst: true }, "sse-first-event", "partial"],
    ["a crash at a malformed request", { crashesOnNoMethod: true }, "server-keeps-running", "minimal"],
  ])("%s fails", async (_, fault, name, level) => {
    const { code, failed, report } = await procedure(await urlOf(fault));
    expect(failed).toContain(name);
    expect([code, report.conformanceLevel]).toEqual([1, level]);
  });
});
