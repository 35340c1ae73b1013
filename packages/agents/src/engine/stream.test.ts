import type { StreamResponse, Task } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { settle } from "../definition/fake-clock.fixture.ts";
import { artifact, status } from "../definition/skill.ts";
import { applyEvent } from "../store/apply.ts";
import { brief, collect, engineHarness, forever, here, lines, refusal, testSkill, user } from "./engine.fixture.ts";

/** Emits a step every second, so that a client can subscribe at any time. */
const steps = testSkill(async function* ({ clock, signal }) {
  for (let step = 1; step <= 4; step++) {
    yield status("working", `step ${step}`);
    yield artifact("log", `${step} `, { append: step > 1, last: step === 4 });
    if (step === 3) yield artifact("log", "rewritten ", {});
    await clock.sleep(1_000, signal);
  }
  yield status("completed", "all done");
});

/** Builds the task that a client sees from the first event and the updates. */
function assembled(events: readonly StreamResponse[]): Task {
  const [opening, ...updates] = structuredClone(events);
  const task = opening!.task!;
  for (const { statusUpdate, artifactUpdate } of updates as StreamResponse[]) {
    if (statusUpdate) applyEvent(task, { is: "status", status: statusUpdate.status });
    else {
      const { artifact, append = false, lastChunk = false } = artifactUpdate!;
      applyEvent(task, { is: "artifact", artifact, append, lastChunk });
    }
  }
  return task;
}

describe("a streaming send", () => {
  test("tells the task first, then every event, and ends with it", async () => {
    const { engine, clock } = engineHarness();
    const message = user("task-lifecycle x");
    const events = await collect(await engine.stream({ message }, here, forever));
    const timestamp = new Date(clock.now()).toISOString();
    const { id, contextId } = events[0]!.task!;
    const ids = { taskId: id, contextId };
    const parts = [{ text: "[task-lifecycle] Processed: task-lifecycle x" }];
    expect(events).toEqual([
      {
        task: {
          id,
          contextId,
          status: { state: "TASK_STATE_SUBMITTED", timestamp },
          history: [{ ...message, ...ids }],
        },
      },
      { statusUpdate: { ...ids, status: { state: "TASK_STATE_WORKING", timestamp } } },
      { artifactUpdate: { ...ids, artifact: { artifactId: "result", name: "result", parts }, lastChunk: true } },
      { statusUpdate: { ...ids, status: { state: "TASK_STATE_COMPLETED", timestamp } } },
    ]);
  });

  test("loses nothing when its client begins to read after the task has ended", async () => {
    const { engine, now } = engineHarness();
    const stream = await engine.stream({ message: user("task-lifecycle x") }, here, forever);
    await settle();
    const events = await collect(stream);
    expect(lines(events)).toEqual([
      "task SUBMITTED",
      "status WORKING",
      'artifact result (last) [{"text":"[task-lifecycle] Processed: task-lifecycle x"}]',
      "status COMPLETED",
    ]);
    expect(assembled(events)).toEqual(await now(events[0]!.task!));
  });

  test("loses nothing when its client stops reading behind the first event", async () => {
    const { engine } = engineHarness();
    const stream = (await engine.stream({ message: user("chunks 600") }, here, forever))[Symbol.asyncIterator]();
    const opening = await stream.next();
    for (let turn = 0; turn < 10; turn++) await settle();
    const rest = await collect({ [Symbol.asyncIterator]: () => stream });
    expect([lines([opening.value!]), rest.length, lines(rest.slice(-1))]).toEqual([
      ["task SUBMITTED"],
      602,
      ["status COMPLETED"],
    ]);
  });

  test("with a direct message as the answer is that one event", async () => {
    const { engine } = engineHarness();
    const events = await collect(await engine.stream({ message: user("message-only x") }, here, forever));
    expect(lines(events)).toEqual(['message agent "[message-only] You said: message-only x"']);
  });

  test("says what is wrong before it is a stream", async () => {
    const { engine, begin } = engineHarness();
    const { id } = await begin("task-lifecycle");
    expect(await refusal(engine.stream({ message: user("x", { taskId: id }) }, here, forever))).toEqual({
      kind: "UnsupportedOperation",
      message: `Task ${id} has ended. Start a new task in its context`,
    });
  });

  test("ends where the agent asks, and the follow-up streams on from there", async () => {
    const { engine } = engineHarness();
    const first = await collect(await engine.stream({ message: user("multi-turn") }, here, forever));
    expect(lines(first)).toEqual([
      "task SUBMITTED",
      'status INPUT_REQUIRED agent "[multi-turn] What next? Say \\"done\\" to finish."',
    ]);
    const { id } = first[0]!.task!;
    const second = await collect(await engine.stream({ message: user("done", { taskId: id }) }, here, forever));
    expect(lines(second)).toEqual([
      "task INPUT_REQUIRED",
      "status WORKING",
      'artifact final (last) [{"text":"[multi-turn] Finished after 2 messages."}]',
      "status COMPLETED",
    ]);
  });

  test("stays open where the agent waits for an authorisation, and hears how it goes on", async () => {
    const { engine, follow } = engineHarness();
    const stream = (await engine.stream({ message: user("auth-required") }, here, forever))[Symbol.asyncIterator]();
    const events: StreamResponse[] = [];
    for (let n = 0; n < 3; n++) events.push((await stream.next()).value);
    let more = false;
    const rest = collect({ [Symbol.asyncIterator]: () => stream }).finally(() => {
      more = true;
    });
    await settle();
    expect(more).toBe(false);
    await follow(events[0]!.task!, "here you are");
    events.push(...(await rest));
    expect(lines(events)).toEqual([
      "task SUBMITTED",
      "status WORKING",
      'status AUTH_REQUIRED agent "[auth-required] Authorise this agent, then send any message to go on."',
      "status WORKING",
      'artifact receipt (last) [{"text":"[auth-required] Authorised and done."}]',
      "status COMPLETED",
    ]);
  });

  test("that its client leaves does not touch the task", async () => {
    const { engine, now, clock } = engineHarness({ skills: [steps] });
    const leaving = new AbortController();
    const seen: StreamResponse[] = [];
    const reading = (async () => {
      for await (const event of await engine.stream({ message: user("test") }, here, leaving.signal)) seen.push(event);
    })();
    await clock.pass(1_500);
    leaving.abort();
    await reading;
    expect(seen).toHaveLength(5);
    await clock.pass(10_000);
    expect(brief(await now(seen[0]!.task!))).toBe(
      'COMPLETED agent "all done" +log [{"text":"rewritten "},{"text":"4 "}]',
    );
  });

  test("that its client stops in the middle of a loop does not touch the task either", async () => {
    const { engine, now, clock } = engineHarness({ skills: [steps] });
    let task: Task | undefined;
    for await (const event of await engine.stream({ message: user("test") }, here, forever)) {
      task ??= event.task;
      if (event.artifactUpdate) break;
    }
    await clock.pass(10_000);
    expect((await now(task!)).status.state).toBe("TASK_STATE_COMPLETED");
  });
});

describe("a subscription", () => {
  test("opens with the current task at any time, and its events complete it to the final task", async () => {
    const { engine, start, now, clock } = engineHarness({ skills: [steps] });
    const task = await start("test");
    const streams: Promise<StreamResponse[]>[] = [];
    for (let time = 0; time < 4_000; time += 500) {
      await settle();
      streams.push(collect(await engine.subscribe({ id: task.id }, here, forever)));
      await clock.pass(500);
    }
    const seen = await Promise.all(streams);
    const final = await now(task);
    for (const events of seen) {
      expect(events.filter((event) => event.task)).toEqual([events[0]]);
      expect(assembled(events)).toEqual(final);
    }
    // A later subscriber gets more in the first event and fewer updates.
    expect(seen.map((events) => events.length)).toEqual([9, 9, 7, 7, 4, 4, 2, 2]);
  });

  test("opens with a task that stays as it was, though the task goes on before it is read", async () => {
    const { engine, start, now, clock } = engineHarness({ skills: [steps] });
    const task = await start("test");
    await clock.pass(1_500);
    const stream = await engine.subscribe({ id: task.id }, here, forever);
    await clock.pass(10_000);
    const events = await collect(stream);
    expect(lines(events).slice(0, 2)).toEqual([
      'task WORKING agent "step 2" +log [{"text":"1 "},{"text":"2 "}]',
      'status WORKING agent "step 3"',
    ]);
    expect(assembled(events)).toEqual(await now(task));
  });

  test("is the same for all: several subscribers see the same order, however fast they read", async () => {
    const { engine, start, clock } = engineHarness({ skills: [steps] });
    const { id } = await start("test");
    await settle();
    const slowly = async (events: AsyncIterable<StreamResponse>) => {
      const seen: StreamResponse[] = [];
      for await (const event of events) {
        seen.push(event);
        await settle();
      }
      return seen;
    };
    const subscribe = () => engine.subscribe({ id }, here, forever);
    const seen = Promise.all([collect(await subscribe()), slowly(await subscribe()), collect(await subscribe())]);
    await clock.pass(5_000);
    const [one, two, three] = await seen;
    expect([two, three]).toEqual([one, one]);
    expect(lines(one!.slice(-1))).toEqual(['status COMPLETED agent "all done"']);
  });

  test.each(["multi-turn", "auth-required"])("to a task that waits hears how it goes on: %s", async (text) => {
    const { engine, begin, follow } = engineHarness();
    const task = await begin(text);
    const stream = await engine.subscribe({ id: task.id }, here, forever);
    await follow(task, "done");
    const events = await collect(stream);
    expect([events[0], lines(events.slice(-1))]).toEqual([{ task }, ["status COMPLETED"]]);
  });

  test("hears a cancel as the end", async () => {
    const { engine, start } = engineHarness();
    const { id } = await start("task-cancel");
    await settle();
    const stream = await engine.subscribe({ id }, here, forever);
    await engine.cancel({ id }, here);
    expect(lines(await collect(stream))).toEqual([
      'task WORKING agent "[task-cancel] Waiting to be canceled."',
      'status CANCELED agent "[task-cancel] Canceled on request."',
    ]);
  });

  test.each(["task-lifecycle", "task-failure", "rejected"])("to a task that has ended is refused: %s", async (text) => {
    const { engine, begin } = engineHarness();
    const { id } = await begin(text);
    expect(await refusal(engine.subscribe({ id }, here, forever))).toEqual({
      kind: "UnsupportedOperation",
      message: `Task ${id} has ended. Use GetTask instead of subscribing to it`,
    });
  });

  test("to an unknown task is refused", async () => {
    const { engine } = engineHarness();
    expect((await refusal(engine.subscribe({ id: "t" }, here, forever))).kind).toBe("TaskNotFound");
  });
});
