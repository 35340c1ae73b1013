import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestbed, type Testbed } from "@assay/agents";
import type { RunEvent } from "@assay/suite/report";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";
import { scenariosFromRun } from "./from-run.ts";

interface Recorded {
  readonly method: string;
  readonly params: object;
  readonly result?: object | undefined;
  readonly error?: object;
  /** milliseconds since the start of the run */
  readonly at: number;
  readonly until: number;
}

/** The events of a run with these calls over JSON-RPC. */
const recording = (...calls: readonly Recorded[]): RunEvent[] =>
  calls.map(({ method, params, at, until, ...answer }, index) => {
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...answer });
    return {
      event: "exchange",
      id: `x${index}`,
      operation: method,
      interface: { url: "http://127.0.0.1:1/", dialect: "1.0", binding: "JSONRPC" },
      entry: {
        startedDateTime: new Date(1_700_000_000_000 + at).toISOString(),
        time: until - at,
        request: {
          method: "POST",
          url: "http://127.0.0.1:1/",
          headers: [{ name: "A2A-Version", value: "1.0" }],
          postData: { mimeType: "application/json", text },
        },
        response: {
          status: 200,
          headers: [],
          content: { mimeType: "application/json", text: body, size: body.length },
        },
        _id: `x${index}`,
      },
    } as unknown as RunEvent;
  });

const message = (text: string, more: object = {}): object => ({
  message: { messageId: "11111111-0000-4000-8000-000000000001", role: "ROLE_USER", parts: [{ text }], ...more },
});
const task = (state: string): object => ({ id: "task-1", contextId: "context-1", status: { state } });
const sent = (text: string, state: string, at = 0, until = at + 10): Recorded => ({
  method: "SendMessage",
  params: message(text),
  result: { task: task(state) },
  at,
  until,
});
const got = (state: string, at: number): Recorded => ({
  method: "GetTask",
  params: { id: "task-1" },
  result: task(state),
  at,
  until: at + 5,
});

const cancelled: Recorded = {
  method: "CancelTask",
  params: { id: "task-1" },
  result: task("TASK_STATE_CANCELED"),
  at: 20,
  until: 30,
};

const stepsFrom = (...calls: readonly Recorded[]): unknown => {
  const { text } = scenariosFromRun(recording(...calls), "run");
  return parse(text).suites[0].tests.map(({ steps }: { steps: unknown }) => steps);
};

test("polling becomes one step that waits for the end", () => {
  expect(
    stepsFrom(
      sent("hello", "TASK_STATE_WORKING"),
      got("TASK_STATE_WORKING", 20),
      got("TASK_STATE_WORKING", 30),
      got("TASK_STATE_COMPLETED", 40),
      got("TASK_STATE_COMPLETED", 50),
    ),
  ).toEqual([
    [
      {
        id: "send",
        operation: "send_message",
        params: { message: { role: "ROLE_USER", parts: [{ text: "hello" }] } },
        expect: {
          body: {
            task: {
              status: { state: { one_of: ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED"] } },
            },
          },
        },
        capture: { taskId: "task.id" },
      },
      {
        id: "get",
        operation: "get_task",
        params: { id: "{{send.taskId}}" },
        repeat: { until: "status.state == TASK_STATE_COMPLETED", max_attempts: 60, delay_ms: 500 },
        expect: { body: { status: { state: "TASK_STATE_COMPLETED" } } },
      },
    ],
  ]);
});

test("a follow-up uses the ids of the first answer, and errors have their names", () => {
  const followUp = {
    method: "SendMessage",
    params: message("done", { taskId: "task-1", contextId: "context-1" }),
    result: { task: task("TASK_STATE_COMPLETED") },
    at: 20,
    until: 30,
  };
  const cancel = {
    method: "CancelTask",
    params: { id: "task-1" },
    error: { code: -32002, message: "ended" },
    at: 40,
    until: 50,
  };
  const [[first, second, third]] = stepsFrom(sent("hi", "TASK_STATE_INPUT_REQUIRED"), followUp, cancel) as [
    [Record<string, unknown>, Record<string, unknown>, Record<string, unknown>],
  ];
  expect(first["capture"]).toEqual({ taskId: "task.id", contextId: "task.contextId" });
  expect(second["params"]).toEqual({
    message: {
      role: "ROLE_USER",
      parts: [{ text: "done" }],
      taskId: "{{send.taskId}}",
      contextId: "{{send.contextId}}",
    },
  });
  expect(third["expect_error"]).toEqual({ error_type: "TaskNotCancelableError" });
});

test("a page of a list is read only after the page before it", () => {
  const list = (at: number, params: object, result: object): Recorded => ({
    method: "ListTasks",
    params: { contextId: "context-1", ...params },
    result: { tasks: [], ...result },
    at,
    until: at + 5,
  });
  const [first, second] = [list(20, {}, { nextPageToken: "page-2" }), list(40, { pageToken: "page-2" }, {})];
  const [[, ...both]] = stepsFrom(sent("hi", "TASK_STATE_COMPLETED"), first, second) as [object[]];
  expect(both).toMatchObject([
    { capture: { nextPageToken: "nextPageToken" } },
    { params: { contextId: "{{send.contextId}}", pageToken: "{{list.nextPageToken}}" } },
  ]);
  // The first page overlaps the message, so it is no step.
  const [[, ...none]] = stepsFrom(sent("hi", "TASK_STATE_COMPLETED", 0, 30), first, second) as [object[]];
  expect(none).toEqual([]);
});

test("a context that the client made up is new in each scenario", () => {
  const [[first]] = stepsFrom({
    ...sent("hi", "TASK_STATE_COMPLETED"),
    params: message("hi", { contextId: "mine" }),
  }) as [[{ params: { message: object } }]];
  expect(first.params.message).toMatchObject({ contextId: "{{$uuid}}" });
});

describe("a conversation is left out, with the reason", () => {
  test.each([
    ["their requests overlap", [sent("a", "TASK_STATE_WORKING", 0, 100), { ...cancelled, at: 50, until: 60 }]],
    ["they contain {{ }}", [sent("write {{name}}", "TASK_STATE_COMPLETED")]],
    ["they contain secrets", [sent("the token is «secret:token»", "TASK_STATE_COMPLETED")]],
    ["they contain more than 20 kB", [sent("x".repeat(20_001), "TASK_STATE_COMPLETED")]],
    [
      "the agent rejected a login, or failed with an internal error",
      [sent("a", "TASK_STATE_WORKING"), { ...cancelled, result: undefined, error: { code: -32603, message: "oops" } }],
    ],
  ] as [string, Recorded[]][])("%s", (because, calls) => {
    const { count, leftOut } = scenariosFromRun(recording(...calls), "run");
    expect([count, leftOut.join()]).toEqual([0, expect.stringContaining(`1 conversation, because ${because}`)]);
  });
});

test("calls without an accepted message make no scenario", () => {
  const unknown = {
    method: "GetTask",
    params: { id: "unknown" },
    error: { code: -32001, message: "no" },
    at: 0,
    until: 5,
  };
  const rejected = { ...sent("a", ""), result: undefined, error: { code: -32602, message: "no" }, at: 10, until: 15 };
  expect(scenariosFromRun(recording(unknown, rejected), "run")).toMatchObject({ count: 0, leftOut: [] });
});

describe("assay acts --from", () => {
  const home = process.cwd();
  let folder: string;
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed({ host: "127.0.0.1", port: 0, version: "9.9.9", timeScale: 0.1 });
    folder = mkdtempSync(join(tmpdir(), "assay-from-run-"));
    process.chdir(folder);
  });
  afterAll(async () => {
    process.chdir(home);
    rmSync(folder, { recursive: true });
    await testbed.close(0);
  });
  const assay = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
    const screen = paperScreen({ isTerminal: false });
    const code = await run(args, screen);
    return { code, out: screen.out(), err: screen.err() };
  };

  test("writes scenarios that the agent passes, and a broken agent fails", async () => {
    await assay("test", `${testbed.url}/spec`, "--binding", "JSONRPC", "--only", "CANCEL-002,STREAM-003,GET-001");
    const written = await assay("acts", "--from", "last", "--out", "recorded.acts.yaml");
    expect(written).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+ scenarios in recorded\.acts\.yaml\./m) });
    const [good, broken] = [
      await assay("acts", "recorded.acts.yaml", "--url", `${testbed.url}/spec`),
      await assay("acts", "recorded.acts.yaml", "--url", `${testbed.url}/mutants/CANCEL-002.ended-too`),
    ];
    expect([good.code, good.out]).toEqual([0, expect.stringContaining(" 0 failed")]);
    expect([broken.code, broken.out]).toEqual([1, expect.stringContaining("expected TaskNotCancelableError")]);

    expect(await assay("acts", "--from", "last", "--out", "recorded.acts.yaml")).toMatchObject({
      code: 2,
      err: expect.stringContaining("recorded.acts.yaml already exists"),
    });
    const printed = await assay("acts", "--from", "last");
    expect(printed.out).toBe(readFileSync("recorded.acts.yaml", "utf8"));
  });

  test.each([
    [["--from", "last", "other.acts.yaml"], "--from only writes scenarios"],
    [["--out", "new.acts.yaml"], "--out requires --from"],
    [[], "No scenarios to run"],
  ])("acts %j is wrong usage", async (args, says) => {
    expect(await assay("acts", ...args)).toMatchObject({ code: 2, err: expect.stringContaining(says) });
    expect(existsSync("new.acts.yaml")).toBe(false);
  });

  test("a run without content has nothing to write", async () => {
    const started = {
      event: "run-started",
      run: "r",
      at: new Date().toISOString(),
      agentUrl: "http://127.0.0.1:1",
      redacted: true,
    };
    writeFileSync("redacted.ndjson", `${JSON.stringify(started)}\n`);
    expect(await assay("acts", "--from", "redacted.ndjson")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--redact"),
    });
  });
});
