import { Ledger } from "@assay/wire/server";
import { describe, expect, test } from "vitest";
import { settle } from "../definition/fake-clock.fixture.ts";
import { status } from "../definition/skill.ts";
import { WebhookPush } from "../push/service.ts";
import { brief, engineHarness, here, refusal, spoken, testSkill, user } from "./engine.fixture.ts";

/** Asks repeatedly, and takes a second for each reply without reporting that it works. */
const thinking = testSkill(async function* ({ task, clock, signal }) {
  if (task) await clock.sleep(1_000, signal);
  yield status("input-required", "and then?");
});

const atWork = (id: string) => ({
  kind: "UnsupportedOperation",
  message: `Task ${id} is working and accepts no message until it asks for input`,
});

describe("a follow-up", () => {
  test("goes to the task's skill, whatever its words, and joins its history", async () => {
    const { begin, follow } = engineHarness();
    const task = await begin("multi-turn start");
    const second = await follow(task, "task-failure is not a keyword here");
    expect([second.id, second.contextId, second.status.state]).toEqual([
      task.id,
      task.contextId,
      "TASK_STATE_INPUT_REQUIRED",
    ]);
    const third = await follow(task, "I am DONE now");
    expect(brief(third)).toBe('COMPLETED +final [{"text":"[multi-turn] Finished after 3 messages."}]');
    expect(spoken(third)).toEqual([
      'user "multi-turn start"',
      'agent "[multi-turn] What next? Say \\"done\\" to finish."',
      'user "task-failure is not a keyword here"',
      'agent "[multi-turn] Noted: task-failure is not a keyword here. What next? Say \\"done\\" to finish."',
      'user "I am DONE now"',
    ]);
  });

  test("carries the task's ids into the history, though it named the task alone", async () => {
    const { engine, begin } = engineHarness();
    const task = await begin("multi-turn");
    const message = user("on", { taskId: task.id });
    const { task: after } = await engine.send({ message }, here);
    expect(after?.history?.at(-1)).toEqual({ ...message, contextId: task.contextId });
  });

  test("may name the context of its task", async () => {
    const { engine, begin } = engineHarness();
    const { id, contextId } = await begin("multi-turn");
    const { task } = await engine.send({ message: user("on", { taskId: id, contextId: contextId! }) }, here);
    expect(task?.id).toBe(id);
  });

  test("that names another context is refused, and the task stays as it was", async () => {
    const { engine, begin, now } = engineHarness();
    const task = await begin("multi-turn");
    const message = user("done", { taskId: task.id, contextId: "another" });
    expect(await refusal(engine.send({ message }, here))).toEqual({
      kind: "InvalidParams",
      message: `Task ${task.id} belongs to a different context than the message says`,
      path: "$.message.contextId",
    });
    expect(await now(task)).toEqual(task);
  });

  test("with the context alone begins a new task in it", async () => {
    const { engine, begin } = engineHarness();
    const first = await begin("multi-turn");
    const { task } = await engine.send({ message: user("multi-turn", { contextId: first.contextId! }) }, here);
    expect([task!.contextId, task!.id === first.id]).toEqual([first.contextId, false]);
  });

  test.each(["task-lifecycle", "task-failure", "rejected"])("to a task that has ended is refused: %s", async (text) => {
    const { engine, begin, now } = engineHarness();
    const task = await begin(text);
    expect(await refusal(engine.send({ message: user("more", { taskId: task.id }) }, here))).toEqual({
      kind: "UnsupportedOperation",
      message: `Task ${task.id} has ended. Start a new task in its context`,
    });
    expect(await now(task)).toEqual(task);
  });

  test("to a task at work is refused, and the task is not disturbed", async () => {
    const { engine, start, now, clock } = engineHarness();
    const task = await start("slow 2");
    await clock.pass(0);
    expect(await refusal(engine.send({ message: user("more", { taskId: task.id }) }, here))).toEqual(atWork(task.id));
    await clock.pass(2_000);
    expect(spoken(await now(task))).toEqual(['user "slow 2"', 'agent "[slow] Working for 2 s"']);
  });

  test("that does not wait is answered at once, and the task goes on", async () => {
    const { begin, follow, now, clock } = engineHarness({ skills: [thinking] });
    const task = await begin("test");
    const during = await follow(task, "one", { returnImmediately: true });
    expect(spoken(during)).toEqual(['user "test"', 'agent "and then?"', 'user "one"']);
    await clock.pass(1_000);
    expect(brief(await now(task))).toBe('INPUT_REQUIRED agent "and then?"');
  });
});

describe("of two follow-ups at once", () => {
  test.each([
    ["with ids of their own", () => [user("one"), user("two")]],
    ["that are the same message sent twice", () => [user("one", { messageId: "m" }), user("one", { messageId: "m" })]],
  ])("one goes on and the other is refused, %s", async (_name, messages) => {
    const { engine, begin, now, clock } = engineHarness({ skills: [thinking] });
    const task = await begin("test");
    const outcomes = messages().map((message) => engine.send({ message: { ...message, taskId: task.id } }, here));
    const [, loser] = outcomes;
    expect(await refusal(loser!)).toEqual(atWork(task.id));
    await clock.pass(1_000);
    expect((await outcomes[0])?.task?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(spoken(await now(task))).toEqual(['user "test"', 'agent "and then?"', 'user "one"']);
  });

  test("the next one is welcome as soon as the first was answered", async () => {
    const { begin, follow } = engineHarness();
    const task = await begin("multi-turn");
    for (let n = 0; n < 20; n++) expect((await follow(task, `${n}`)).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect((await follow(task, "done")).status.state).toBe("TASK_STATE_COMPLETED");
  });
});

describe("a follow-up that fails", () => {
  test("because the task is canceled meanwhile is refused like any other to an ended task, at whatever moment", async () => {
    const outcomes = new Set<string>();
    for (let ticks = 0; ticks < 40; ticks++) {
      const { engine, begin, now } = engineHarness();
      const task = await begin("multi-turn");
      const canceling = engine.cancel({ id: task.id }, here);
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      const sent = await engine.send({ message: user("on", { taskId: task.id }) }, here).then(
        (answer) => answer.task!.status.state,
        (error: { kind?: string }) => error.kind ?? String(error),
      );
      await canceling;
      outcomes.add(`${sent}, then ${(await now(task)).status.state}`);
    }
    expect([...outcomes].toSorted()).toEqual([
      "TASK_STATE_CANCELED, then TASK_STATE_CANCELED",
      "UnsupportedOperation, then TASK_STATE_CANCELED",
    ]);
  });

  test("for what it brings along does not lock the task", async () => {
    const push = new WebhookPush({
      clock: engineHarness().clock,
      ledger: new Ledger(),
      post: async () => ({ status: 200 }),
      refusal: () => undefined,
    });
    const { engine, begin, follow } = engineHarness({ push });
    const task = await begin("multi-turn");
    for (let n = 0; n < 50; n++) push.register(here, task.id, { url: "https://example.com/", id: `c${n}` });
    const message = user("on", { taskId: task.id });
    const configuration = { taskPushNotificationConfig: { url: "https://example.com/" } };
    expect(await refusal(engine.send({ message, configuration }, here))).toEqual({
      kind: "InvalidParams",
      message: "A task may have at most 50 push configurations. Delete one first",
    });
    expect((await follow(task, "done")).status.state).toBe("TASK_STATE_COMPLETED");
    push.close();
  });

  test("because the store is full does not lock the task", async () => {
    const { engine, begin, store, ledger } = engineHarness({ maxBytes: 14_000 });
    const task = await begin("multi-turn");
    const filler = await begin("multi-turn");
    const text = "x".repeat(14_000 - ledger.of(here.account) - 700);
    await store.append(here.scope, filler.id, 2, [
      {
        is: "artifact",
        artifact: { artifactId: "a", parts: [{ text }] },
        append: false,
        lastChunk: true,
      },
    ]);
    const send = (text: string) => engine.send({ message: user(text, { taskId: task.id }) }, here);
    expect((await refusal(send("on"))).kind).toBe("TooManyRequests");
    await engine.cancel({ id: filler.id }, here);
    expect((await send("on")).task?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  });
});

test("a turn that outlives its lease still belongs to whoever works on it, once it says that it works", async () => {
  const skill = testSkill(async function* ({ task, clock, signal }) {
    if (!task) return yield status("input-required");
    yield status("working");
    await clock.sleep(120_000, signal);
    yield status("completed");
  });
  const { engine, begin, follow, clock, now } = engineHarness({ skills: [skill] });
  const task = await begin("test");
  await follow(task, "go", { returnImmediately: true });
  await clock.pass(61_000);
  expect(await refusal(engine.send({ message: user("more", { taskId: task.id }) }, here))).toEqual(atWork(task.id));
  await clock.pass(59_000);
  await settle();
  expect((await now(task)).status.state).toBe("TASK_STATE_COMPLETED");
});
