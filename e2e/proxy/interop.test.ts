import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { artifact, skill, status } from "@assay/agents/making";
import { normaliseCard } from "@assay/protocol";
import { commonGround, type InteropOptions, interop, ownClient, pairResults, stepResults } from "@assay/proxy";
import type { ConformanceReport } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { describe, expect, test } from "vitest";
import { run } from "../../packages/cli/src/main.ts";
import { paperScreen } from "../../packages/cli/src/screen.fixture.ts";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";

const here = useTestbed({ timeScale: 0.05 });
const there = useTestbed({ timeScale: 0.05 });

/** Relays as the test bed does, and reports a failure in a completed task. */
const excusing = skill("relay", {
  name: "Relay",
  description: "Asks another agent.",
  tags: ["task"],
  examples: [],
  async *run({ argument, relay, signal }) {
    const [, url = "", text = ""] = /^(\S+)\s+([\s\S]+)$/.exec(argument) ?? [];
    yield status("working");
    // It also leaves the other agent at work when its own task is canceled.
    const answer = await Promise.race([
      relay(url, text, new AbortController().signal).catch((error: Error) => `could not: ${error.message}`),
      once(signal, "abort").then(() => "left"),
    ]);
    if (signal.aborted) return;
    yield artifact("relayed", answer, { last: true });
    yield status("completed");
  },
});
/** Completes its task with an excuse, and calls nobody: as from a host that cannot reach the proxy. */
const absent = skill("relay", {
  name: "Relay",
  description: "Asks another agent.",
  tags: ["task"],
  examples: [],
  async *run() {
    yield artifact("relayed", "could not: connection refused", { last: true });
    yield status("completed");
  },
});
/** Leaves time to cancel a task on a busy machine. */
const unhurried = useTestbed({ timeScale: 1 });
const polite = useTestbed({
  timeScale: 0.05,
  agents: [["excusing", "Excusing Agent", excusing] as const, ["absent", "Absent Agent", absent] as const].map(
    ([path, name, relaying]) => ({
      path,
      name,
      description: "Completes every task.",
      skills: [relaying],
      streaming: true,
      push: false,
      dialects: ["1.0"],
      bindings: ["JSONRPC"],
    }),
  ),
  root: "excusing",
});

const connection = { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) };
const between = (a: string, b: string, more: Partial<InteropOptions> = {}) =>
  interop({
    a: { url: a },
    b: { url: b },
    version: "test",
    connection,
    host: "127.0.0.1",
    text: "task-lifecycle hello",
    ...more,
  });

const answeredBy = ({ exchanged }: Awaited<ReturnType<typeof between>>["directions"][number]) =>
  exchanged.map(({ how, sent, answered }) => `${how}: ${answered} of ${sent}`);

const all = ["one after the other: 2 of 2", "at the same time: 4 of 4"];

describe("two agents talk to each other, one after the other and at the same time, and what crosses is judged", () => {
  const pairs = [
    ["spec", "full"],
    ["spec", "spec02"],
    ["spec03", "full"],
    ["spec01", "spec01"],
    ["spec", "spec01"],
    ["variants/split-bytes", "spec"],
  ] as const;
  test.each(pairs.slice(0, provesAll ? pairs.length : 2))("/%s and /%s understand each other", async (a, b) => {
    const { directions, understandings } = await between(`${here.url}/${a}`, `${there.url}/${b}`);
    expect([understandings.map(({ is }) => is), directions.map(answeredBy)]).toEqual([
      ["yes", "yes"],
      [all, all],
    ]);
    for (const { report, calls } of directions) {
      expect([report!.parties!.agent.failed, report!.parties!.client.failed]).toEqual([0, 0]);
      expect(calls.filter(({ over }) => over).length).toBeGreaterThanOrEqual(6);
    }
  });

  test("a client that does not know a required extension is not understood, and its own agent is", async () => {
    const { understandings, directions } = await between(`${here.url}/spec`, `${there.url}/strict`);
    expect([understandings.map(({ is }) => is), directions.map(answeredBy)]).toEqual([
      ["no", "yes"],
      [["one after the other: 0 of 2", "at the same time: 0 of 4"], all],
    ]);
    expect(directions[0]!.report!.parties!.agent.failed).toBe(0);
  });

  test("a fault of the agent that is asked is its own, and the other direction is not blamed for it", async () => {
    const { understandings, directions } = await between(`${here.url}/spec`, `${there.url}/mutants/DATA-018.nameless`, {
      text: "task-failure hello",
    });
    const [toMutant, fromMutant] = directions;
    expect(toMutant!.report!.parties!.agent.failed).toBeGreaterThan(0);
    expect(toMutant!.report!.parties!.client.failed).toBe(0);
    expect([fromMutant!.report!.parties!.agent.failed, fromMutant!.report!.parties!.client.failed]).toEqual([0, 0]);
    expect(understandings[0]!.because.join("\n")).toContain(
      "Spec Agent (DATA-018.nameless): Message.messageId is missing (DATA-018)",
    );
  });

  test("an agent that completes its task with an excuse was not understood", async () => {
    // The first agent relays to one that rejects the call, and wraps the error into a success.
    const { understandings, directions } = await between(`${polite.url}/excusing`, `${there.url}/strict`);
    expect(understandings[0]!.is).toBe("no");
    expect(understandings[0]!.because.join("\n")).toContain("the relaying agent says: could not: ");
    expect(answeredBy(directions[0]!)).toEqual(["one after the other: 0 of 2", "at the same time: 0 of 4"]);
  });

  test("an agent that calls nobody shows nothing, whatever its task says", async () => {
    const found = await between(`${polite.url}/absent`, `${there.url}/full`);
    const [forth, back] = found.directions;
    const because = "no call from Absent Agent reached the proxy on 127.0.0.1 (it says: could not: connection refused)";
    expect([forth!.untried, answeredBy(forth!), answeredBy(back!)]).toEqual([
      because,
      ["one after the other: 0 of 2", "at the same time: 0 of 4"],
      all,
    ]);
    expect(found.understandings.map(({ is }) => is)).toEqual(["unknown", "yes"]);
    expect(stepResults(found)).toEqual([
      { test: "discovers", status: "skip", message: because },
      { test: "a-to-b", status: "skip", message: because },
      { test: "b-to-a", status: "pass" },
      { test: "concurrent", status: "skip", message: `one direction only: ${because}` },
    ]);
  });

  test("a client stands in for an agent that cannot relay, and the results name it", async () => {
    const standIn = ownClient({ version: "test", connection });
    const found = await between(`${here.url}/echo`, `${there.url}/spec`, { standIn, cancel: true });
    await standIn.close();
    const [forth, back] = found.directions;
    expect([forth!.standIn, answeredBy(forth!), back!.standIn]).toEqual(["Assay test", all, undefined]);
    expect(found.understandings[0]).toMatchObject({ is: "yes", standIn: "Assay test" });
    expect(pairResults(found).slice(0, 2)).toEqual([
      { test: "discovers", status: "pass", message: "Assay test stands in for Echo Agent" },
      { test: "a-to-b", status: "pass", message: "Assay test stands in for Echo Agent" },
    ]);
    // It cancels the task of the other agent itself, so nothing is passed on.
    expect(pairResults(found).at(-1)).toMatchObject({
      status: "skip",
      message: expect.stringContaining("a-to-b: Assay test stands in for Echo Agent, so no agent can pass"),
    });
  });

  test("what the cards rule out is not understood, although the client that stands in is answered", async () => {
    const standIn = ownClient({ version: "test", connection });
    const found = await between(`${here.url}/echo`, `${there.url}/strict`, { standIn });
    await standIn.close();
    expect([answeredBy(found.directions[0]!), found.understandings[0]!.is]).toEqual([all, "no"]);
    expect(found.understandings[0]!.because.join("\n")).toContain("requires the extension");
  });

  test("a task that is canceled on one side is canceled on the other, if the relaying agent cancels it", async () => {
    const { url } = unhurried;
    const more = { cancel: true, text: "message-only hello", atOnce: 1 };
    const kind = await between(`${url}/spec`, `${url}/full`, more);
    expect(kind.directions.map(({ canceled }) => canceled)).toEqual([{ is: "canceled" }, { is: "canceled" }]);
    expect(pairResults(kind).at(-1)).toEqual({ test: "cancel-across", status: "pass" });
    const careless = await between(`${polite.url}/excusing`, `${url}/full`, more);
    expect(pairResults(careless).at(-1)).toMatchObject({
      status: "pass",
      warning: "a-to-b: it cancels its own task, but sends no CancelTask to the other agent",
    });
    expect(careless.understandings[0]!.is).toBe("yes");
  });

  testIf(provesAll)("an agent that cannot relay is not tried, and a prompt of the operator makes it", async () => {
    const { understandings, directions } = await between(`${here.url}/echo`, `${there.url}/spec`);
    expect([directions[0]!.untried, understandings[0]!.is]).toEqual([
      expect.stringContaining('Echo Agent has no skill "relay". Give it a prompt'),
      "unknown",
    ]);
    const told = await between(`${here.url}/echo`, `${there.url}/spec`, {
      a: { url: `${here.url}/spec`, relay: "relay {url} {text}" },
    });
    expect(told.understandings[0]!.is).toBe("yes");
  });
});

describe("what two cards say about each other", () => {
  const card = (more: object) =>
    normaliseCard({
      name: "x",
      supportedInterfaces: [{ url: "http://a.test/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      capabilities: {},
      ...more,
    });

  test("agents without a version and binding in common do not understand each other", () => {
    const { obstacles, interfaces } = commonGround(
      card({}),
      card({ supportedInterfaces: [{ url: "http://b.test/", protocolBinding: "GRPC", protocolVersion: "1.0" }] }),
    );
    expect([interfaces, obstacles["a-to-b"]]).toEqual([
      [],
      ["no version and binding in common: A has 1.0 over JSONRPC, B has 1.0 over GRPC"],
    ]);
  });

  test("modes that have nothing in common, a required extension and a login are said", () => {
    const { obstacles, needs } = commonGround(
      card({}),
      card({
        defaultInputModes: ["image/png"],
        capabilities: { extensions: [{ uri: "urn:x", required: true }] },
        securitySchemes: { corp: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
        securityRequirements: [{ schemes: { corp: {} } }],
      }),
    );
    expect([obstacles, needs]).toEqual([
      {
        "a-to-b": [
          "B requires the extension urn:x, which A does not declare",
          "B does not accept the output of A: A writes text/plain, B accepts image/png",
        ],
        "b-to-a": ["B does not accept the output of A: A writes text/plain, B accepts image/png"],
      },
      { "a-to-b": ["a caller of B needs credentials: corp (httpAuth)"], "b-to-a": [] },
    ]);
  });

  test.each([
    [["text"], ["text/plain"]],
    [["image/svg+xml"], ["image/*"]],
    [[], ["image/png"]],
    [["text/plain; charset=utf-8"], ["text/plain"]],
  ])("%j goes with %j", (written, read) => {
    const { obstacles } = commonGround(card({ defaultOutputModes: written }), card({ defaultInputModes: read }));
    expect(obstacles["a-to-b"]).toEqual([]);
  });
});

describe("assay interop", () => {
  const interopOf = async (...args: string[]) => {
    const screen = paperScreen();
    const code = await run(["interop", ...args, "--no-config"], screen);
    return { code, out: screen.out(), err: screen.err() };
  };

  testIf(provesAll)(
    "tells what two agents have in common, how each does, and whether they understand each other",
    async () => {
      const { code, out } = await interopOf(`${here.url}/spec`, `${there.url}/full`);
      expect(code).toBe(0);
      expect(out).toMatch(/^versions +1\.0, 0\.3 +1\.0 +common: 1\.0$/m);
      expect(out).toMatch(/^A as a server +conformant/m);
      expect(out).toMatch(/^A → B +✓ one after the other: 2 of 2 answered +✓ at the same time: 4 of 4 answered/m);
      expect(out).toContain("A client of B understands A: they spoke 1.0 over JSONRPC");
    },
  );

  test("an agent that is not there is said", async () => {
    const gone = await interopOf(`${here.url}/spec`, "http://127.0.0.1:1", "--no-test");
    expect([gone.code, gone.err]).toEqual([2, expect.stringContaining("Cannot reach http://127.0.0.1:1")]);
  });

  test("writes reports, with the results of step 5.5 and one of its own under interop", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "assay-interop-")), "interop.json");
    const { code, out } = await interopOf(
      ...[`${here.url}/echo`, `${there.url}/full`, "--no-test", "--text", "task-lifecycle hello"],
      ...["--report", `json=${file}`],
    );
    expect(out).toContain(" (standing in for A) understands B: they spoke 1.0 over JSONRPC");
    const report = JSON.parse(readFileSync(file, "utf8")) as ConformanceReport;
    const named = ["discovers", "a-to-b", "b-to-a", "concurrent", "cancel-across"];
    const results = report.categories.interop.filter(({ test: id }) => named.includes(id));
    expect([code, report.subject, report.outcome]).toEqual([0, "pair", "conformant"]);
    expect(results.map(({ test: id, status }) => [id, status]).toSorted()).toEqual(
      named.map((id) => [id, id === "cancel-across" ? "skip" : "pass"]).toSorted(),
    );
    // The client that stood in is none of the two agents.
    const ofClients = report.categories.interop.filter(({ party }) => party === "client");
    expect([...new Set(ofClients.map((each) => each.interface!.url))]).toEqual([expect.stringContaining(here.url)]);
    expect(report.agentName).toBe("Echo Agent and Full Agent");
  });

  test("the client of an SDK stands in with --stand-in", async () => {
    const { code, out } = await interopOf(
      ...[`${here.url}/echo`, `${there.url}/spec`, "--no-test", "--text", "task-lifecycle hello"],
      ...["--stand-in", join(import.meta.dirname, "../../sdks/assay")],
    );
    expect(code).toBe(0);
    expect(out).toContain("Assay 1.0.0 (standing in for A) understands B");
  });

  test("--stand-in takes a name with a dot in it for a name", async () => {
    const { code, out } = await interopOf(
      ...[`${here.url}/echo`, `${there.url}/spec03`, "--no-test", "--text", "task-lifecycle hello"],
      ...["--stand-in", "a2a-js-0.3"],
    );
    expect(out).toContain("0.3.14 (standing in for A) understands B");
    expect(code).toBe(0);
  });

  test.each([
    ["a2a-jss", "Did you mean a2a-js?"],
    ["./a2a-js", "a2a-js/driver.yaml"],
  ])("--stand-in %s: the driver does not exist", async (named, message) => {
    const listeners = process.listenerCount("SIGINT");
    const { code, err } = await interopOf(`${here.url}/echo`, `${there.url}/spec`, "--no-test", "--stand-in", named);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(process.listenerCount("SIGINT")).toBe(listeners);
  });
});

describe("assay test --peer", () => {
  testIf(provesAll)(
    "fills interop with what the agent shows as a client of the other and as an agent for it",
    async () => {
      const screen = paperScreen();
      const args = [`${here.url}/spec`, "--peer", `${there.url}/full`, "--only", "SEND-001", "--json", "--no-record"];
      const code = await run(["test", ...args, "--no-config"], screen);
      const { categories, notes, outcome } = JSON.parse(screen.out()) as ConformanceReport;
      const shown = (party: "client" | undefined) =>
        categories.interop.filter((result) => result.party === party && result.status === "pass").length;
      expect([code, outcome, shown("client") > 3, shown(undefined) > 5]).toEqual([0, "conformant", true, true]);
      expect(notes.filter((note) => note.startsWith("--peer: this agent"))).toEqual([
        "--peer: this agent as a client of Full Agent: understood (they spoke 1.0 over JSONRPC)",
        "--peer: this agent as an agent for Full Agent: understood (they spoke 1.0 over JSONRPC)",
      ]);
    },
  );

  test("does not hold what the other does wrong against the agent", async () => {
    const screen = paperScreen();
    const args = [`${here.url}/spec`, "--peer", `${there.url}/mutants/JSONRPC-004.id-as-text`, "--only", "SEND-001"];
    const code = await run(["test", ...args, "--json", "--no-record", "--no-config"], screen);
    const { categories, notes } = JSON.parse(screen.out()) as ConformanceReport;
    expect([code, categories.interop.filter(({ status }) => status === "fail")]).toEqual([0, []]);
    expect(notes.some((note) => note.includes("not understood") && note.includes("(JSONRPC-004)"))).toBe(true);
  });
});
