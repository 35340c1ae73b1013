import { expect, test } from "vitest";
import { MemoryStore } from "../store/memory.ts";
import { collect, engineHarness, forever, here, lines, refusal, testSkill, user } from "./engine.fixture.ts";

/** A gate that a test opens. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A skill that asks for input, and then works until the gate opens. */
const patient = (done: Promise<void>) =>
  testSkill(async function* (turn) {
    if (!turn.task) {
      yield { is: "status", state: "TASK_STATE_INPUT_REQUIRED" };
      return;
    }
    yield { is: "status", state: "TASK_STATE_WORKING" };
    await done;
    yield { is: "status", state: "TASK_STATE_COMPLETED" };
  });

const quick = testSkill(async function* () {
  yield { is: "status", state: "TASK_STATE_WORKING" };
  yield { is: "status", state: "TASK_STATE_COMPLETED" };
});

const endless = testSkill(async function* ({ signal }) {
  yield { is: "status", state: "TASK_STATE_WORKING" };
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
});

/** A store that holds back new tasks until the test releases them. */
class SlowStore extends MemoryStore {
  readonly asked = gate();
  readonly goesOn = gate();

  override async create(...given: Parameters<MemoryStore["create"]>): Promise<void> {
    this.asked.open();
    await this.goesOn.opened;
    return super.create(...given);
  }
}

const shuttingDown = { kind: "Unavailable", message: expect.stringContaining("shutting down") };

test("closing waits for running tasks, and rejects new messages without creating a task", async () => {
  const done = gate();
  const { engine, begin, follow, now, store } = engineHarness({ skills: [patient(done.opened)] });
  const [working, waiting] = [await begin("test"), await begin("test")];
  const answered = follow(working, "go on");
  await expect.poll(async () => (await now(working)).status.state).toBe("TASK_STATE_WORKING");
  const closed = engine.close(10_000);
  expect(await refusal(engine.send({ message: user("test") }, here))).toEqual(shuttingDown);
  expect(await refusal(engine.stream({ message: user("test") }, here, forever))).toEqual(shuttingDown);
  expect(await refusal(follow(waiting, "go on"))).toEqual(shuttingDown);
  done.open();
  expect([await closed, (await answered).status.state]).toEqual([0, "TASK_STATE_COMPLETED"]);
  expect([store.size, (await now(waiting)).history]).toEqual([2, waiting.history]);
});

test("a message that was taken before is waited for, and its stream tells all", async () => {
  const store = new SlowStore(() => 0);
  const { engine } = engineHarness({ store, skills: [quick] });
  const streaming = engine.stream({ message: user("test") }, here, forever);
  await store.asked.opened;
  const closed = engine.close(10_000);
  store.goesOn.open();
  expect([await closed, store.byState().get("TASK_STATE_COMPLETED")]).toEqual([0, 1]);
  expect(lines(await collect(await streaming)).at(-1)).toBe("status COMPLETED");
});

test("a task that is kept when the time is over is ended at once", async () => {
  const store = new SlowStore(() => 0);
  const { engine } = engineHarness({ store, skills: [endless] });
  const sent = engine.send({ message: user("test") }, here);
  await store.asked.opened;
  const closed = engine.close(0);
  store.goesOn.open();
  const { task } = await sent;
  expect(task?.status).toMatchObject({
    state: "TASK_STATE_FAILED",
    message: { parts: [{ text: expect.stringMatching(/^The server is shutting down/) }] },
  });
  expect(await closed).toBe(1);
});

test("a skill that says its first word when the time is over gets no task", async () => {
  const word = gate();
  const asked = gate();
  const shy = testSkill(async function* () {
    asked.open();
    await word.opened;
    yield { is: "status", state: "TASK_STATE_WORKING" };
  });
  const { engine, store } = engineHarness({ skills: [shy] });
  const sent = refusal(engine.send({ message: user("test") }, here));
  await asked.opened;
  const closed = engine.close(0);
  word.open();
  expect([await sent, await closed, store.size]).toEqual([shuttingDown, 0, 0]);
});
