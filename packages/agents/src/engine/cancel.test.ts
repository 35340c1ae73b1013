import { describe, expect, test } from "vitest";
import { settle } from "../definition/fake-clock.fixture.ts";
import { artifact, status } from "../definition/skill.ts";
import { brief, collect, engineHarness, forever, here, lines, refusal, testSkill } from "./engine.fixture.ts";

/** Works for a minute and ignores its signal. */
const deaf = testSkill(async function* ({ clock }) {
  yield status("working");
  await clock.sleep(60_000, forever);
  yield artifact("late", "too late");
  yield status("completed");
});

describe("a cancel", () => {
  test("of a task at work cancels it, for good, and copies its metadata into the task", async () => {
    const { engine, start, now, clock } = engineHarness();
    const task = await start("task-cancel");
    await clock.pass(5_000);
    const canceled = await engine.cancel(
      { id: task.id, metadata: { reason: "changed my mind", by: { name: "me" } } },
      here,
    );
    expect(brief(canceled)).toBe('CANCELED agent "[task-cancel] Canceled on request."');
    expect([canceled.status.timestamp, canceled.metadata]).toEqual([
      "2026-11-15T12:00:05.000Z",
      { reason: "changed my mind", by: { name: "me" } },
    ]);
    await clock.pass(60_000);
    expect(await now(task)).toEqual(canceled);
  });

  test("adds to the metadata that the task has", async () => {
    const { engine } = engineHarness();
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "multi-turn" }] } as const;
    const { task } = await engine.send(
      { message: { ...message, parts: [...message.parts] }, metadata: { a: 1, b: 1 } },
      here,
    );
    expect((await engine.cancel({ id: task!.id, metadata: { b: 2 } }, here)).metadata).toEqual({ a: 1, b: 2 });
  });

  test("without metadata leaves the task without", async () => {
    const { engine, start } = engineHarness();
    expect(await engine.cancel({ id: (await start("task-cancel")).id }, here)).not.toHaveProperty("metadata");
  });

  test.each(["long-running", "streaming", "slow 60"])("reaches a skill that only sleeps: %s", async (text) => {
    const { engine, start, clock, crashes } = engineHarness();
    const { id } = await start(text);
    await clock.pass(100);
    expect((await engine.cancel({ id }, here)).status.state).toBe("TASK_STATE_CANCELED");
    expect([clock.sleepers, crashes]).toEqual([0, []]);
  });

  test.each(["multi-turn", "auth-required"])("of a task that waits for its client cancels it: %s", async (text) => {
    const { engine, begin, now } = engineHarness();
    const task = await begin(text);
    const canceled = await engine.cancel({ id: task.id }, here);
    expect(canceled.status).toEqual({ state: "TASK_STATE_CANCELED", timestamp: "2026-11-15T12:00:00.000Z" });
    expect(await now(task)).toEqual(canceled);
  });

  test.each(["task-lifecycle", "task-failure", "rejected"])("of a task that has ended is refused: %s", async (text) => {
    const { engine, begin, now } = engineHarness();
    const task = await begin(text);
    const cancel = engine.cancel({ id: task.id, metadata: { reason: "late" } }, here);
    expect(await refusal(cancel)).toEqual({ kind: "TaskNotCancelable", message: `Task ${task.id} has already ended` });
    expect(await now(task)).toEqual(task);
  });

  test("of a task that was canceled is refused", async () => {
    const { engine, start } = engineHarness();
    const { id } = await start("task-cancel");
    await engine.cancel({ id }, here);
    expect((await refusal(engine.cancel({ id }, here))).kind).toBe("TaskNotCancelable");
  });

  test("of an unknown task is refused", async () => {
    const { engine } = engineHarness();
    expect((await refusal(engine.cancel({ id: "t" }, here))).kind).toBe("TaskNotFound");
  });

  test("that arrives twice at once cancels once, and both get a response", async () => {
    const { engine, start } = engineHarness();
    const { id } = await start("task-cancel");
    const stream = await engine.subscribe({ id }, here, forever);
    const both = await Promise.all([engine.cancel({ id }, here), engine.cancel({ id }, here)]);
    expect(both.map(({ status: { state } }) => state)).toEqual(["TASK_STATE_CANCELED", "TASK_STATE_CANCELED"]);
    expect(lines(await collect(stream)).filter((line) => line.startsWith("status CANCELED"))).toHaveLength(1);
  });

  test("that races with the end gets a canceled task or the proper refusal, at whatever moment it comes", async () => {
    const hearing = testSkill(async function* ({ signal }) {
      for (let step = 0; step < 12 && !signal.aborted; step++) yield status("working");
      if (!signal.aborted) yield status("completed");
    });
    const outcomes = new Set<string>();
    for (let ticks = 0; ticks < 60; ticks++) {
      const { engine, start, now } = engineHarness({ skills: [hearing] });
      const task = await start("test");
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      const outcome = await engine.cancel({ id: task.id }, here).then(
        ({ status: { state } }) => state,
        (error: { kind?: string }) => error.kind ?? String(error),
      );
      await settle();
      outcomes.add(`${outcome}, then ${(await now(task)).status.state}`);
    }
    expect([...outcomes].toSorted()).toEqual([
      "TASK_STATE_CANCELED, then TASK_STATE_CANCELED",
      "TaskNotCancelable, then TASK_STATE_COMPLETED",
    ]);
  });

  test("to which the skill answers by completing is refused", async () => {
    const stubborn = testSkill(async function* ({ clock, signal }) {
      yield status("working");
      await clock.sleep(1_000, signal).catch(() => {});
      yield status("completed", "I was nearly there");
    });
    const { engine, start } = engineHarness({ skills: [stubborn] });
    const { id } = await start("test");
    expect(await refusal(engine.cancel({ id }, here))).toEqual({
      kind: "TaskNotCancelable",
      message: `Task ${id} has already ended`,
    });
  });

  test("to which the skill answers with a question cancels all the same", async () => {
    const insisting = testSkill(async function* ({ clock, signal }) {
      yield status("working");
      await clock.sleep(1_000, signal).catch(() => {});
      yield status("input-required", "really?");
    });
    const { engine, start } = engineHarness({ skills: [insisting] });
    expect((await engine.cancel({ id: (await start("test")).id }, here)).status.state).toBe("TASK_STATE_CANCELED");
  });

  test("waits two seconds for a skill that does not listen, then closes the task without it", async () => {
    const { engine, start, now, clock } = engineHarness({ skills: [deaf] });
    const task = await start("test");
    await settle();
    let answered = false;
    const canceling = engine.cancel({ id: task.id }, here).finally(() => {
      answered = true;
    });
    await clock.pass(1_999);
    expect(answered).toBe(false);
    await clock.pass(1);
    const canceled = await canceling;
    expect(brief(canceled)).toBe("CANCELED");
    await clock.pass(60_000);
    expect(await now(task)).toEqual(canceled);
  });

  test("leaves no timer behind when the skill has listened", async () => {
    const { engine, start, clock } = engineHarness();
    await engine.cancel({ id: (await start("task-cancel")).id }, here);
    expect(clock.sleepers).toBe(0);
  });

  test("lets a skill that was closed without it clean up when it comes back", async () => {
    let cleaned = false;
    const careful = testSkill(async function* (turn) {
      try {
        yield* deaf.run(turn);
      } finally {
        cleaned = true;
      }
    });
    const { engine, start, clock, crashes } = engineHarness({ skills: [careful] });
    const { id } = await start("test");
    await settle();
    const canceling = engine.cancel({ id }, here);
    await clock.pass(2_000);
    await canceling;
    expect(cleaned).toBe(false);
    await clock.pass(60_000);
    expect([cleaned, crashes]).toEqual([true, []]);
  });
});

describe("closing the engine", () => {
  test("fails what is at work, saying why, and leaves what waits", async () => {
    const { engine, start, begin, now, clock } = engineHarness();
    const working = [await start("task-cancel"), await start("long-running")];
    const waiting = await begin("multi-turn");
    await settle();
    expect(await engine.close()).toBe(2);
    const [one, two, three] = await Promise.all([...working, waiting].map(async (task) => (await now(task)).status));
    const failed = {
      state: "TASK_STATE_FAILED",
      message: { parts: [{ text: expect.stringMatching(/^The server is shutting down/) }] },
    };
    expect([one, two]).toMatchObject([failed, failed]);
    expect(three?.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(clock.sleepers).toBe(0);
  });

  test("lets what is at work come to its end, where there is time for that", async () => {
    const { engine, start, now, clock } = engineHarness();
    const working = await start("task-lifecycle");
    const closing = engine.close(60_000);
    await clock.pass(30_000);
    expect(await closing).toBe(0);
    expect((await now(working)).status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("waits two seconds at most", async () => {
    const { engine, start, clock } = engineHarness({ skills: [deaf] });
    await start("test");
    await settle();
    const closing = engine.close();
    await clock.pass(2_000);
    await expect(closing).resolves.toBe(1);
  });
});
