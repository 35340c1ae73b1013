import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import type { JsonValue, Part } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { FakeClock } from "../definition/fake-clock.fixture.ts";
import { brief, here, spoken } from "../engine/engine.fixture.ts";
import { actsBehaviours } from "./acts.ts";
import { conventionHarness } from "./harness.fixture.ts";

/** One reads its payload, and the stream of the other stays open for credentials: both are tested below. */
const apart = ["tck-client-parse", "tck-auth-required"];

test("every behaviour, by its name", async () => {
  const names = Object.keys(actsBehaviours).filter((name) => !apart.includes(name));
  const told = await Promise.all(
    names.map(async (name) => [name, await conventionHarness().told({ text: `${name} hello world` })]),
  );
  expect(Object.fromEntries(told)).toMatchInlineSnapshot(`
    {
      "tck-artifact-data": [
        "task SUBMITTED",
        "status WORKING",
        "artifact result (last) [{"data":{"key":"value","count":42}}]",
        "status COMPLETED",
      ],
      "tck-artifact-file": [
        "task SUBMITTED",
        "status WORKING",
        "artifact result (last) [{"raw":"W3Rjay1hcnRpZmFjdC1maWxlXSBBIGRvY3VtZW50Lgo=","filename":"document.txt","mediaType":"text/plain"}]",
        "status COMPLETED",
      ],
      "tck-artifact-file-url": [
        "task SUBMITTED",
        "status WORKING",
        "artifact result (last) [{"url":"https://example.com/document.txt","filename":"document.txt","mediaType":"text/plain"}]",
        "status COMPLETED",
      ],
      "tck-artifact-text": [
        "task SUBMITTED",
        "status WORKING",
        "artifact result (last) [{"text":"[tck-artifact-text] Generated text."}]",
        "status COMPLETED",
      ],
      "tck-cancel": [
        "task SUBMITTED",
        "status WORKING agent "[tck-cancel] Waiting to be canceled."",
        "status COMPLETED agent "[tck-cancel] Nobody canceled."",
      ],
      "tck-complete-task": [
        "task SUBMITTED",
        "status COMPLETED agent "[tck-complete-task] Done."",
      ],
      "tck-input-required": [
        "task SUBMITTED",
        "status INPUT_REQUIRED agent "[tck-input-required] What next?"",
      ],
      "tck-long-running": [
        "task SUBMITTED",
        "status WORKING",
        "artifact result (last) [{"text":"[tck-long-running] Done after 1 s"}]",
        "status COMPLETED",
      ],
      "tck-message-response": [
        "message agent "[tck-message-response] A message, no task."",
      ],
      "tck-multi-turn": [
        "task SUBMITTED",
        "status INPUT_REQUIRED",
      ],
      "tck-reject-task": [
        "task SUBMITTED",
        "status REJECTED agent "[tck-reject-task] This agent declines the task."",
      ],
      "tck-stream-basic": [
        "task SUBMITTED",
        "status WORKING",
        "artifact result (last) [{"text":"[tck-stream-basic] One artifact."}]",
        "status COMPLETED",
      ],
      "tck-stream-chunked": [
        "task SUBMITTED",
        "status WORKING",
        "artifact result [{"text":"[tck-stream-chunked] Chunk 1\\n"}]",
        "artifact result (append) [{"text":"[tck-stream-chunked] Chunk 2\\n"}]",
        "artifact result (append) (last) [{"text":"[tck-stream-chunked] Chunk 3\\n"}]",
        "status COMPLETED",
      ],
      "tck-task-failure": [
        "task SUBMITTED",
        "status WORKING",
        "status FAILED agent "[tck-task-failure] This task fails on purpose."",
      ],
    }
  `);
});

test("case and leading space do not matter, and a name ends where its word ends", async () => {
  const { begin } = conventionHarness();
  expect(brief(await begin({ text: " \n TCK-Complete-Task" }))).toBe('COMPLETED agent "[tck-complete-task] Done."');
  expect(brief(await begin({ text: "tck-complete-task: hello" }))).toBe('COMPLETED agent "[tck-complete-task] Done."');
  const { artifacts } = await begin({ text: "tck-artifact-file-url document" });
  expect(artifacts?.[0]?.parts[0]?.url).toBe("https://example.com/document.txt");
});

test("an unknown name fails the task, and the message lists the known ones", async () => {
  const { status } = await conventionHarness().begin({ text: "tck-complete-tasks please" });
  expect(status.state).toBe("TASK_STATE_FAILED");
  expect(status.message?.parts[0]?.text).toBe(
    `Unknown behaviour tck-complete-tasks. Choose one of ${Object.keys(actsBehaviours).join(", ")}`,
  );
});

test("tck-long-running is at work for a second, and then has made something", async () => {
  const { start, now, clock } = conventionHarness(new FakeClock());
  const task = await start({ text: "tck-long-running start process" });
  await clock.pass(999);
  expect(brief(await now(task))).toBe("WORKING");
  await clock.pass(1);
  expect(brief(await now(task))).toBe('COMPLETED +result [{"text":"[tck-long-running] Done after 1 s"}]');
});

test("tck-cancel is at work until it is canceled", async () => {
  const { engine, start, now, clock } = conventionHarness(new FakeClock());
  const task = await start({ text: "tck-cancel start" });
  await clock.pass(20_000);
  expect((await now(task)).status.state).toBe("TASK_STATE_WORKING");
  expect(brief(await engine.cancel({ id: task.id }, here))).toBe("CANCELED");
});

test.each([
  ["tck-long-running", 1_000],
  ["tck-cancel", 30_000],
])("%s waits %s ms, however time is scaled", async (text, ms) => {
  const bounds: (number | undefined)[] = [];
  const clock = {
    now: () => 0,
    sleep: async (_ms: number, _signal: AbortSignal, atLeast?: number) => {
      bounds.push(atLeast);
    },
  };
  await conventionHarness(clock).begin({ text });
  expect(bounds).toEqual([ms]);
});

describe("a follow-up", () => {
  test("to tck-multi-turn asks on, until one begins with done", async () => {
    const { begin } = conventionHarness();
    const task = await begin({ text: "tck-multi-turn chronological first" });
    const texts = ["tck-multi-turn chronological second", "not done yet", "doneness", " Done, thank you"];
    const states: string[] = [];
    for (const text of texts) states.push(brief(await begin({ text, task })));
    expect(states).toEqual(["INPUT_REQUIRED", "INPUT_REQUIRED", "INPUT_REQUIRED", "COMPLETED"]);
  });

  test("to tck-multi-turn leaves the third message third in the history", async () => {
    const { begin } = conventionHarness();
    const task = await begin({ text: "tck-multi-turn chronological first" });
    await begin({ text: "tck-multi-turn chronological second", task });
    expect(spoken(await begin({ text: "done", task }))).toEqual([
      'user "tck-multi-turn chronological first"',
      'user "tck-multi-turn chronological second"',
      'user "done"',
    ]);
  });

  test("to tck-input-required completes it, unless it asks for that again", async () => {
    const { begin } = conventionHarness();
    const task = await begin({ text: "tck-input-required" });
    expect(brief(await begin({ text: "tck-input-required again", task }))).toBe(
      'INPUT_REQUIRED agent "[tck-input-required] What next?"',
    );
    expect(brief(await begin({ text: "here it is", task }))).toBe('COMPLETED agent "[tck-input-required] Thank you."');
  });

  test("to tck-auth-required counts as the authorisation", async () => {
    const { begin } = conventionHarness();
    const task = await begin({ text: "tck-auth-required trigger auth" });
    expect(brief(task)).toBe(
      'AUTH_REQUIRED agent "[tck-auth-required] Authorise this agent, then send any message to go on."',
    );
    expect(brief(await begin({ text: "authorised", task }))).toBe(
      'COMPLETED +result [{"text":"[tck-auth-required] Authorised and done."}]',
    );
  });

  test("that names another behaviour gets that one", async () => {
    const { begin } = conventionHarness();
    const task = await begin({ text: "tck-input-required" });
    expect(brief(await begin({ text: "tck-task-failure now", task }))).toBe(
      'FAILED agent "[tck-task-failure] This task fails on purpose."',
    );
  });
});

describe("tck-client-parse", () => {
  const asked = async (operation: string, payload: JsonValue): Promise<Part[] | undefined> => {
    const parts = [{ text: "tck-client-parse" }, { data: { operation, wire_payload: payload } }];
    const { status, artifacts } = await conventionHarness().begin({ parts });
    expect(status.state).toBe("TASK_STATE_COMPLETED");
    return artifacts?.[0]?.parts;
  };
  const result = (value: JsonValue): JsonValue => ({ jsonrpc: "2.0", id: "req-1", result: value });
  const task = { id: "t", contextId: "c", status: { state: "TASK_STATE_COMPLETED" } };

  test("hands back what the client read in an answer", async () => {
    expect(await asked("send_message", result({ task }))).toEqual([{ data: { task } }]);
    expect(await asked("get_task", result(task))).toEqual([{ data: task }]);
  });

  test("hands back an error as the client reports it", async () => {
    const error = { code: -32001, message: "Task not found", data: { taskId: "x" } };
    expect(await asked("get_task", { jsonrpc: "2.0", id: 1, error })).toEqual([{ data: { error } }]);
  });

  test("hands on what breaks the schema, and says so beside it", async () => {
    const history = [{ role: "ROLE_USER", parts: [{ text: "hello" }] }];
    expect(await asked("get_task", result({ ...task, history }))).toEqual([
      { data: { ...task, history } },
      { text: "$.history[0].messageId: is required and missing" },
    ]);
  });

  test("reads cards, bare and in an envelope", async () => {
    const card = { name: "A", version: "1", capabilities: { streaming: true, extendedAgentCard: true } };
    for (const payload of [card, result(card)]) {
      const parts = await asked("get_extended_agent_card", payload);
      expect(parts?.[0]?.data).toMatchObject(card);
    }
    expect((await asked("get_agent_card", card))?.[0]?.data).toMatchObject(card);
    expect(await asked("get_agent_card", "no card")).toEqual([
      { data: { error: { message: "The payload is not an Agent Card of A2A 1.0" } } },
    ]);
  });

  test("says what it cannot read", async () => {
    expect(await asked("get_task", task)).toEqual([
      { data: { error: { message: "The payload is not a JSON-RPC response with either a result or an error" } } },
    ]);
    expect(await asked("toString", result(task))).toEqual([
      { data: { error: { message: "This client does not support the operation toString" } } },
    ]);
  });

  test.each([
    ["no data part", [{ text: "tck-client-parse" }]],
    ["no operation", [{ text: "tck-client-parse" }, { data: { wire_payload: {} } }]],
    ["no payload", [{ text: "tck-client-parse" }, { data: { operation: "get_task" } }]],
  ])("fails without its request: %s", async (_what, parts) => {
    expect(brief(await conventionHarness().begin({ parts }))).toBe(
      'FAILED agent "[tck-client-parse] Send a data part with the members operation and wire_payload."',
    );
  });
});

const corpus = new URL("../../../../../shared/acts/", import.meta.url);
if (!existsSync(corpus))
  process.stderr.write(`skipped: the behaviours of the corpus; there is none at ${corpus.pathname}\n`);

test.skipIf(!existsSync(corpus))("knows every behaviour that the corpus beside this project asks for", async () => {
  const files = (await readdir(corpus)).filter((name) => name.endsWith(".acts.yaml"));
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, corpus), "utf8")));
  const named = texts.flatMap((text) => [...text.matchAll(/["[\s](tck-[a-z]+(?:-[a-z]+)*)/g)].map(([, name]) => name!));
  expect(named.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((name) => !Object.hasOwn(actsBehaviours, name))).toEqual([]);
});
