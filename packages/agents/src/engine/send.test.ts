import { describe, expect, test } from "vitest";
import { settle } from "../definition/fake-clock.fixture.ts";
import { artifact, reply, status } from "../definition/skill.ts";
import {
  collect,
  elsewhere,
  engineHarness,
  forever,
  here,
  refusal,
  spoken,
  testSkill,
  user,
} from "./engine.fixture.ts";

describe("a send that begins a task", () => {
  test("waits until the task has ended, and answers with all of it", async () => {
    const { engine, clock } = engineHarness();
    const message = user("task-lifecycle x", { contextId: "mine", metadata: { kept: true } });
    const { task } = await engine.send({ message, metadata: { origin: "test" } }, here);
    const timestamp = new Date(clock.now()).toISOString();
    expect(task).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      contextId: "mine",
      status: { state: "TASK_STATE_COMPLETED", timestamp },
      artifacts: [
        { artifactId: "result", name: "result", parts: [{ text: "[task-lifecycle] Processed: task-lifecycle x" }] },
      ],
      history: [{ ...message, taskId: task!.id }],
      metadata: { origin: "test" },
    });
    expect(await engine.get({ id: task!.id }, here)).toEqual(task);
  });

  test("waits through all the time the skill takes", async () => {
    const { begin, clock } = engineHarness();
    let answered = false;
    const sent = begin("streaming x").finally(() => {
      answered = true;
    });
    await clock.pass(1_999);
    expect(answered).toBe(false);
    await clock.pass(1);
    expect((await sent).status.state).toBe("TASK_STATE_COMPLETED");
  });

  test.each([
    ["multi-turn x", "TASK_STATE_INPUT_REQUIRED"],
    ["auth-required x", "TASK_STATE_AUTH_REQUIRED"],
    ["task-failure x", "TASK_STATE_FAILED"],
    ["rejected x", "TASK_STATE_REJECTED"],
  ])("waits no longer than until the task rests: %s", async (text, state) => {
    const { begin } = engineHarness();
    expect((await begin(text)).status.state).toBe(state);
  });

  test("returns at once when asked to, and the task goes on by itself", async () => {
    const { start, now, clock } = engineHarness();
    const task = await start("slow 5");
    expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(task.status.state);
    await clock.pass(4_999);
    expect((await now(task)).status.state).toBe("TASK_STATE_WORKING");
    await clock.pass(1);
    expect((await now(task)).status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("returns an answer that stays as it was, though the task goes on", async () => {
    const { start, now } = engineHarness();
    const task = await start("history 50");
    const before = structuredClone(task);
    await settle();
    expect(task).toEqual(before);
    expect((await now(task)).history).toHaveLength(51);
  });

  test("an answer never shows a message both as the status and in the history", async () => {
    const { engine, start } = engineHarness();
    const { id } = await start("history 400");
    const views = await Promise.all(Array.from({ length: 200 }, () => engine.get({ id }, here)));
    for (const { status, history } of views) expect(history).not.toContainEqual(status.message);
  });

  test("with a direct message as the answer, makes no task", async () => {
    const { engine } = engineHarness();
    expect(await engine.send({ message: user("message-only x", { contextId: "mine" }) }, here)).toEqual({
      message: {
        messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        contextId: "mine",
        role: "ROLE_AGENT",
        parts: [{ text: "[message-only] You said: message-only x" }],
      },
    });
    expect((await engine.list({}, here)).totalSize).toBe(0);
  });

  test("makes a context where the client names none, a new one each time", async () => {
    const { begin } = engineHarness();
    const [one, other] = [await begin("task-lifecycle"), await begin("task-lifecycle")];
    expect(one.contextId).toMatch(/^[0-9a-f-]{36}$/);
    expect(other.contextId).not.toBe(one.contextId);
  });

  test("an empty contextId or taskId is none", async () => {
    const { engine } = engineHarness();
    const { task } = await engine.send({ message: user("task-lifecycle", { contextId: "", taskId: "" }) }, here);
    expect(task?.contextId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("to an unknown task is rejected, and creates no task", async () => {
    const { engine } = engineHarness();
    expect(await refusal(engine.send({ message: user("task-lifecycle", { taskId: "t" }) }, here))).toEqual({
      kind: "TaskNotFound",
      message: 'Task "t" not found',
    });
    expect((await engine.list({}, here)).totalSize).toBe(0);
  });

  test("when the store is full, is refused as a passing trouble", async () => {
    const { engine, start } = engineHarness({ maxTasks: 1 });
    await start("task-cancel");
    expect(await refusal(engine.send({ message: user("task-lifecycle") }, here))).toEqual({
      kind: "Unavailable",
      message: "Too many tasks are open. Try again later",
    });
  });
});

describe("historyLength", () => {
  const all = ['user "history 3"', ...[1, 2, 3].map((n) => `agent "[history] Message ${n} of 3"`)];
  const lengths: [number | undefined, string[]][] = [
    [undefined, all],
    [0, []],
    [1, all.slice(-1)],
    [3, all.slice(-3)],
    [4, all],
    [2_147_483_647, all],
  ];

  test.each(lengths)("%s on a send", async (historyLength, expected) => {
    const { begin } = engineHarness();
    expect(spoken(await begin("history 3", historyLength === undefined ? {} : { historyLength }))).toEqual(expected);
  });

  test.each(lengths)("%s on a get and on a list", async (historyLength, expected) => {
    const { engine, begin } = engineHarness();
    const { id } = await begin("history 3");
    const asked = historyLength === undefined ? {} : { historyLength };
    expect(spoken(await engine.get({ id, ...asked }, here))).toEqual(expected);
    const { tasks } = await engine.list(asked, here);
    expect(tasks.map(spoken)).toEqual([expected]);
  });

  test.each(lengths)("%s on the task that opens a stream", async (historyLength, expected) => {
    const { engine, begin } = engineHarness();
    const { id } = await begin("multi-turn");
    const asked = historyLength === undefined ? {} : { configuration: { historyLength } };
    const stream = await engine.stream({ message: user("on", { taskId: id }), ...asked }, here, forever);
    const [opening] = await collect(stream);
    const said = ['user "multi-turn"', 'agent "[multi-turn] What next? Say \\"done\\" to finish."', 'user "on"'];
    expect(spoken(opening!.task!)).toEqual(said.slice(said.length - Math.min(expected.length, 3)));
  });

  test("an answer without history has no member for it", async () => {
    const { begin } = engineHarness();
    expect(await begin("history 3", { historyLength: 0 })).not.toHaveProperty("history");
  });

  test.each([-1, -2_147_483_648, 2_147_483_648])("%s is refused, and nothing is created", async (historyLength) => {
    const { engine, begin } = engineHarness();
    const message = user("task-lifecycle");
    const range = `historyLength must be from 0 to 2147483647, got ${historyLength}`;
    const inSend = { kind: "InvalidParams", message: range, path: "$.configuration.historyLength" };
    expect(await refusal(engine.send({ message, configuration: { historyLength } }, here))).toEqual(inSend);
    expect(await refusal(engine.stream({ message, configuration: { historyLength } }, here, forever))).toEqual(inSend);
    expect((await engine.list({}, here)).totalSize).toBe(0);
    const { id } = await begin("task-lifecycle");
    const alone = { kind: "InvalidParams", message: range, path: "$.historyLength" };
    expect(await refusal(engine.get({ id, historyLength }, here))).toEqual(alone);
    expect(await refusal(engine.list({ historyLength }, here))).toEqual(alone);
  });
});

describe("media types", () => {
  test.each(["text/plain", "TEXT/Plain; charset=utf-8", "application/json", "image/webp", "application/octet-stream"])(
    "a part labelled %s is read",
    async (mediaType) => {
      const { engine } = engineHarness();
      const { task } = await engine.send(
        { message: user("", { parts: [{ text: "task-lifecycle", mediaType }] }) },
        here,
      );
      expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
    },
  );

  test.each(["video/mp4", "text/html", "imagery/png", "*/*", "x"])("a part labelled %s is not", async (mediaType) => {
    const { engine } = engineHarness();
    const message = user("", { parts: [{ text: "task-lifecycle" }, { raw: "AAAA", mediaType }] });
    expect(await refusal(engine.send({ message }, here))).toEqual({
      kind: "ContentTypeNotSupported",
      message: `This agent does not accept ${mediaType} (message.parts[1]). It accepts text/plain, application/json, application/octet-stream, application/pdf, image/*`,
    });
    expect((await engine.list({}, here)).totalSize).toBe(0);
  });

  test("a media type is not repeated at length", async () => {
    const { engine } = engineHarness();
    const message = user("", { parts: [{ raw: "AAAA", mediaType: `video/${"x".repeat(100_000)}` }] });
    expect((await refusal(engine.send({ message }, here))).message.length).toBeLessThan(300);
  });

  test.each([
    [["text/plain"], ["text", "mixed"]],
    [["application/json"], ["data", "mixed"]],
    [["image/*"], ["file"]],
    [["*/*"], ["text", "data", "file", "mixed"]],
    [["video/mp4", "image/svg+xml; q=1"], ["file"]],
    [["application/pdf"], []],
    [["video/mp4"], ["text", "data", "file", "mixed"]],
    [[], ["text", "data", "file", "mixed"]],
  ])("acceptedOutputModes %j gets the artifacts %j", async (acceptedOutputModes, expected) => {
    const { begin } = engineHarness();
    const task = await begin("data-types", { acceptedOutputModes });
    expect([task.status.state, ...(task.artifacts ?? []).map(({ name }) => name)]).toEqual([
      "TASK_STATE_COMPLETED",
      ...expected,
    ]);
  });

  test("of an artifact with several parts, those that were asked for are left", async () => {
    const { begin } = engineHarness();
    const { artifacts } = await begin("data-types", { acceptedOutputModes: ["text/plain"] });
    expect(artifacts?.at(-1)?.parts).toEqual([{ text: "[data-types] Text beside data" }]);
  });
});

describe("a skill that misbehaves", () => {
  const failed = (id: string) => ({
    state: "TASK_STATE_FAILED",
    message: expect.objectContaining({
      role: "ROLE_AGENT",
      parts: [{ text: `[${id}] The skill failed with an internal error of the agent.` }],
    }),
    timestamp: "2026-11-15T12:00:00.000Z",
  });

  test("and throws before its first event fails the task, and only the operator learns why", async () => {
    const { begin, crashes } = engineHarness();
    const task = await begin("throw");
    expect(task.status).toEqual(failed("throw"));
    expect(crashes).toEqual([new Error("This skill crashes on purpose, and this text must never reach a client.")]);
  });

  test("and throws after its first event fails the task, with what it has made", async () => {
    const boom = new Error("boom");
    const { begin, crashes } = engineHarness({
      skills: [
        testSkill(async function* () {
          yield status("working");
          yield artifact("half", "one");
          throw boom;
        }),
      ],
    });
    const task = await begin("test");
    expect([task.status, task.artifacts?.[0]?.parts]).toEqual([failed("test"), [{ text: "one" }]]);
    expect(crashes).toEqual([boom]);
  });

  test("and throws nothing at all fails the task like any other", async () => {
    const { begin } = engineHarness({
      skills: [
        // biome-ignore lint/correctness/useYield: the point is that it never gets there
        testSkill(async function* () {
          throw undefined;
        }),
      ],
    });
    expect((await begin("test")).status).toEqual(failed("test"));
  });

  test.each([
    ["says nothing", []],
    ["stops while working", [status("working")]],
    ["stops behind an artifact", [status("working"), artifact("a", "x")]],
  ])("and %s has its task completed", async (_name, events) => {
    const { begin } = engineHarness({
      skills: [
        testSkill(async function* () {
          yield* events;
        }),
      ],
    });
    expect((await begin("test")).status).toEqual({
      state: "TASK_STATE_COMPLETED",
      timestamp: "2026-11-15T12:00:00.000Z",
    });
  });

  test("and goes on behind its end is not heard, but may clean up", async () => {
    let cleaned = false;
    const { begin, now } = engineHarness({
      skills: [
        testSkill(async function* () {
          try {
            yield status("completed", "the end");
            yield status("working", "not quite");
          } finally {
            cleaned = true;
          }
        }),
      ],
    });
    const task = await begin("test");
    await settle();
    expect([(await now(task)).status.state, cleaned]).toEqual(["TASK_STATE_COMPLETED", true]);
  });

  test("and answers a task with a message completes it with those words", async () => {
    const { begin } = engineHarness({
      skills: [
        testSkill(async function* () {
          yield status("working");
          yield reply("that is all");
        }),
      ],
    });
    const { status: last } = await begin("test");
    expect([last.state, last.message?.parts]).toEqual(["TASK_STATE_COMPLETED", [{ text: "that is all" }]]);
  });

  test("and fills the store has its task failed, so that there is room again", async () => {
    const { begin, crashes } = engineHarness({ maxBytes: 50_000 });
    const { status } = await begin("chunks 1000 100");
    const why = "the limit of 50000 bytes per caller is reached: end open tasks, or retry later";
    expect([status.state, status.message?.parts]).toEqual([
      "TASK_STATE_FAILED",
      [{ text: `[chunks] No room for more: ${why}.` }],
    ]);
    // The skill is not at fault.
    expect(crashes).toEqual([]);
    expect((await begin("task-lifecycle")).status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("and never waits for anything leaves others their turn", async () => {
    const { start, now } = engineHarness();
    const task = await start("chunks 5000");
    // One turn of the loop is not enough for all of it.
    await new Promise(setImmediate);
    expect((await now(task)).status.state).toBe("TASK_STATE_WORKING");
  });
});

test("a task of another scope is not found, by whatever operation", async () => {
  const { engine, start } = engineHarness();
  const { id } = await start("multi-turn");
  const unknown = { kind: "TaskNotFound", message: `Task "${id}" not found` };
  expect(await refusal(engine.get({ id }, elsewhere))).toEqual(unknown);
  expect(await refusal(engine.cancel({ id }, elsewhere))).toEqual(unknown);
  expect(await refusal(engine.subscribe({ id }, elsewhere, forever))).toEqual(unknown);
  expect(await refusal(engine.send({ message: user("on", { taskId: id }) }, elsewhere))).toEqual(unknown);
  expect(await refusal(engine.require(id, elsewhere))).toEqual(unknown);
  expect((await engine.list({}, elsewhere)).tasks).toEqual([]);
  expect((await engine.get({ id }, here)).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
});
