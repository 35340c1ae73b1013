import { DatabaseUnavailable } from "@assay/storage";
import { Ledger } from "@assay/wire/server";
import { expect, test, vi } from "vitest";
import { inputModes, outputModes } from "../definition/agent.ts";
import { FakeClock } from "../definition/fake-clock.fixture.ts";
import { status } from "../definition/skill.ts";
import { chargedRelay } from "../outbound/relay-budget.ts";
import { noPush } from "../push/service.ts";
import { MemoryStore } from "../store/memory.ts";
import { engineHarness, here, testSkill, user } from "./engine.fixture.ts";
import { Engine } from "./engine.ts";
import { byKeyword } from "./routing.ts";

const gone = new DatabaseUnavailable("the store is gone");

/** A store that becomes unavailable at some point. */
class LosableStore extends MemoryStore {
  isGone = false;

  override appendNow(...args: Parameters<MemoryStore["appendNow"]>): number {
    if (this.isGone) throw gone;
    return super.appendNow(...args);
  }

  override append(...args: Parameters<MemoryStore["append"]>): Promise<number> {
    return this.isGone ? Promise.reject(gone) : super.append(...args);
  }

  override release(...args: Parameters<MemoryStore["release"]>): Promise<void> {
    return this.isGone ? Promise.reject(gone) : super.release(...args);
  }
}

test("a task that cannot end because its store is away is reported, and ends later", async () => {
  const clock = new FakeClock();
  const store = new LosableStore(() => clock.now());
  const [onUnended, onStoreError, onSkillError] = [vi.fn(), vi.fn(), vi.fn()];
  const losing = testSkill(async function* () {
    yield status("working");
    store.isGone = true;
    yield status("completed");
  });
  const engine = new Engine({
    ...{ store, clock, push: noPush, inputModes, outputModes, onUnended, onStoreError, onSkillError },
    relay: chargedRelay(async () => "", new Ledger()),
    route: byKeyword([losing]),
  });
  await expect(engine.send({ message: user("test") }, here)).rejects.toBe(gone);
  const { tasks } = await engine.list({}, here);
  const { id } = tasks![0]!;
  expect([onUnended.mock.calls, onStoreError.mock.calls, onSkillError.mock.calls]).toEqual([
    [[here.scope, id]],
    [[gone]],
    [],
  ]);
  store.isGone = false;
  await engine.abandon(here, id, "store");
  const { status: now } = await engine.get({ id }, here);
  expect([now.state, now.message?.parts[0]?.text]).toEqual([
    "TASK_STATE_FAILED",
    "The store became unavailable before this task was done. Send the message again.",
  ]);
});

test("a task that was stored although its store went away meanwhile is ended later", async () => {
  const clock = new FakeClock();
  const store = new LosableStore(() => clock.now());
  const create = store.create.bind(store);
  vi.spyOn(store, "create").mockImplementation(async (...args) => {
    await create(...args);
    throw gone;
  });
  const onUnended = vi.fn();
  const engine = new Engine({
    ...{ store, clock, push: noPush, inputModes, outputModes, onUnended },
    relay: chargedRelay(async () => "", new Ledger()),
    route: byKeyword([testSkill(async function* () {})]),
  });
  await expect(engine.send({ message: user("test") }, here)).rejects.toBe(gone);
  const { tasks } = await engine.list({}, here);
  expect(tasks!.map(({ status: { state } }) => state)).toEqual(["TASK_STATE_SUBMITTED"]);
  expect(onUnended.mock.calls).toEqual([[here.scope, tasks![0]!.id]]);
  await engine.close();
});

test("a task that was claimed when the store went away is free again when it is back", async () => {
  const clock = new FakeClock();
  const store = new LosableStore(() => clock.now());
  const { engine, begin, follow } = engineHarness({ store, clock });
  const task = await begin("multi-turn");
  store.isGone = true;
  await expect(follow(task, "on")).rejects.toBe(gone);
  await clock.pass(1_000);
  store.isGone = false;
  await clock.pass(250);
  expect((await follow(task, "done")).status.state).toBe("TASK_STATE_COMPLETED");
  await engine.close();
});
