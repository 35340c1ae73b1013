import { describe, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";
import { serveMcpHere, startMcpProcess } from "./mcp-client.fixture.ts";

const startMcp = provesAll ? startMcpProcess : serveMcpHere;
const bed = useTestbed();
const quiet = ["explain_error", "explain_rule", "get_finding", "diff_runs", "start_testbed"];
const contacting = ["test_agent", "check_card", "send_message"];

describe("the tools", () => {
  test("are listed with schemas, and none starts a command unless the operator allows it", async () => {
    const { client } = await startMcp();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([...quiet, ...contacting].sort());
    expect(tools.filter(({ outputSchema }) => outputSchema?.type !== "object")).toEqual([]);
    const agentTest = tools.find(({ name }) => name === "test_agent");
    expect(Object.keys(agentTest!.inputSchema.properties!)).not.toContain("start");
  });

  test("say how the operator allows commands", async () => {
    const { call } = await startMcp();
    const { isError, value } = await call("test_agent", { url: `${bed.url}/spec`, start: "npm run agent" });
    expect([isError, value.error]).toEqual([
      true,
      expect.stringContaining("restart the server with assay mcp --allow-commands"),
    ]);
  });

  test("say why a client sent nothing, and where to read that", async () => {
    const { call } = await startMcp(["--allow-commands"]);
    const command = [process.execPath, "-e", "throw new Error('no such agent')"];
    const { value } = await call("test_client", { command, situations: ["send"] });
    expect(value).toMatchObject({
      outcome: "inconclusive",
      level_because: { untrusted: "exit code 1 (stderr: Error: no such agent)" },
      next: expect.stringContaining("level_because"),
    });
  });

  test.runIf(provesAll)("start commands with --allow-commands", async () => {
    const { client } = await startMcp(["--allow-commands"]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("test_client");
    const agentTest = tools.find(({ name }) => name === "test_agent");
    expect(Object.keys(agentTest!.inputSchema.properties!)).toContain("start");
  });

  test.runIf(provesAll)("take no limits of the operator as arguments", async () => {
    const { call } = await startMcp();
    for (const argument of ["allow_private", "total_budget", "insecure"]) {
      const { isError, value } = await call("test_agent", { url: `${bed.url}/spec`, [argument]: true });
      expect([argument, isError, value.error]).toEqual([argument, true, expect.stringContaining("Unrecognized key")]);
    }
  });
});

describe("a good agent and a mutant", () => {
  test("the first is conformant, the second has its finding first, with exchange, rule and fix", async () => {
    const { call, client } = await startMcp();
    expect((await call("get_finding")).value).toEqual({
      error: "There are no runs yet.",
      hint: "Call test_agent first.",
    });
    const progress: number[] = [];
    const onprogress = (told: { progress: number }): unknown => progress.push(told.progress);
    const bad = await call("test_agent", { url: `${bed.url}/mutants/GET-002.invalid` }, { onprogress });
    expect(bad.value).toMatchObject({
      outcome: "not-conformant",
      fix_first: [{ finding: 1, rule: "GET-002", level: "MUST", fix: expect.stringContaining("-32001") }],
      next: expect.stringContaining("get_finding"),
    });
    // Over 0.3 the same rule is a warning, but get_finding shows the failure.
    expect(bad.value.warnings).toBe(1);
    expect(bad.value.warning_rules).toBe(undefined);
    expect(bad.value.not_examined).toContainEqual({
      reason: "depth",
      means: "not tested at this depth",
      rules: expect.any(Number),
    });
    expect(progress.length).toBeGreaterThan(5);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));

    const shown = await call("get_finding");
    expect(shown.value).toMatchObject({
      run: bad.value.run,
      rule: "GET-002",
      requires: expect.stringContaining("TaskNotFound"),
      fix: bad.value.fix_first[0].fix,
      spec_url: expect.stringMatching(/^https:/),
      exchanges: [
        { request: { untrusted: expect.stringContaining("GetTask") }, response: { untrusted: expect.any(String) } },
      ],
    });
    expect(shown.value.exchanges_omitted).toBe(0);
    expect((await call("get_finding", { exchanges: 0 })).value).toMatchObject({ exchanges: [], exchanges_omitted: 1 });
    expect((await call("get_finding", { finding: 99 })).value.error).toContain("The run has no finding 99");

    const good = await call("test_agent", { url: `${bed.url}/spec` });
    expect(good.value).toMatchObject({ outcome: "conformant", failures: 0, fix_first: [] });
    expect(good.value.messages_sent).toBeGreaterThan(0);
    expect(good.value.messages_sent).toBeLessThanOrEqual(8);

    expect((await call("diff_runs")).value.error).toBe("There is no earlier run of this agent.");
    const compared = await call("diff_runs", { before: "last~1" });
    expect(compared.value).toMatchObject({ same_agent: false, regressed: false, after: { run: good.value.run } });
    expect(compared.value.changes).toContainEqual(expect.objectContaining({ change: "fixed", rule: "GET-002" }));

    const again = await call("test_agent", { url: `${bed.url}/mutants/GET-002.invalid`, depth: "card" });
    const own = await call("diff_runs");
    const [before, after] = [{ run: bad.value.run }, { run: again.value.run }];
    expect(own.value).toMatchObject({ same_agent: true, before, after });

    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain(`assay://runs/${bad.value.run}`);
    const { contents } = await client.readResource({ uri: `assay://runs/${bad.value.run}` });
    const report = JSON.parse((contents[0] as { text: string }).text);
    expect(report.failure_list[0]).toEqual(bad.value.fix_first[0]);
  });
});

test("a failure that an earlier one hid does not count as a regression", async () => {
  const { call } = await startMcp();
  await call("test_agent", { url: `${bed.url}/mutants/GET-002.invalid`, only: ["GET-002"] });
  await call("test_agent", { url: `${bed.url}/mutants/JSONRPC-006.html`, only: ["JSONRPC-006"] });
  const { value } = await call("diff_runs", { before: "last~1" });
  expect(value.changes).toContainEqual(expect.objectContaining({ change: "found", rule: "JSONRPC-006" }));
  expect(value.regressed).toBe(false);

  await call("test_agent", { url: `${bed.url}/spec`, only: ["JSONRPC-006"] });
  const back = await call("diff_runs", { before: "last", after: "last~1" });
  expect(back.value.changes).toContainEqual(expect.objectContaining({ change: "broken", rule: "JSONRPC-006" }));
  expect(back.value.regressed).toBe(true);
});

describe("explanations", () => {
  test.runIf(provesAll)("of rules and errors contact nothing", async () => {
    const { call, client } = await startMcp();
    const rule = await call("explain_rule", { rule: "list-003" });
    expect(rule.value).toMatchObject({ id: "LIST-003", level: "MUST", mutants: ["/mutants/LIST-003.no-token"] });
    const { contents } = await client.readResource({ uri: "assay://rules/LIST-003" });
    expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(rule.value);
    expect((await call("explain_rule", { rule: "LIST-0003" })).value.error).toContain("Did you mean LIST-003");
    expect((await call("explain_error", { error: "-32001" })).value.errors).toMatchObject([{ name: "TaskNotFound" }]);
    expect((await call("explain_error", { error: "-1" })).isError).toBe(true);
  });
});

describe("one agent", () => {
  test.runIf(provesAll)("is talked to, and its card is checked", async () => {
    const { call } = await startMcp();
    const started = await call("start_testbed");
    expect((await call("start_testbed")).value).toEqual(started.value);
    const url = `${started.value.url}/echo`;
    const said = await call("send_message", { url, text: "hello" });
    expect(said.value).toMatchObject({ answer: "message", text: { untrusted: "Echo: hello" } });
    expect((await call("check_card", { url })).value).toMatchObject({ valid: true, findings: [] });
    const own = await call("check_card", { card: { name: "Mine" } });
    expect(own.value).toMatchObject({ valid: false, name: { untrusted: "Mine" } });
    expect(own.value.findings.length).toBeGreaterThan(2);
    expect((await call("check_card", { url, card: {} })).value.error).toBe("Pass either url or card.");
  });

  test.runIf(provesAll)("that does not answer is inconclusive", async () => {
    const { call } = await startMcp();
    const { value } = await call("test_agent", { url: "http://127.0.0.1:1", depth: "card" });
    expect(value).toMatchObject({ outcome: "inconclusive", rules_examined: 0, messages_sent: 0 });
  });
});
