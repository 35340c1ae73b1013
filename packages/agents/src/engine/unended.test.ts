import { Ledger } from "@assay/wire/server";
import { expect, test, vi } from "vitest";
import { inputModes, outputModes } from "../agent.ts";
import { status } from "../define.ts";
import { FakeClock } from "../fake-clock.case.ts";
import { noPush } from "../push/service.ts";
import { chargedRelay } from "../relay-budget.ts";
import { byKeyword } from "../routing.ts";
import { MemoryStore } from "../store/memory.ts";
import { here, testSkill, user } from "./engine.case.ts";
import { Engine } from "./engine.ts";

/** A store that is gone from some moment on. */
class LosableStore extends MemoryStore {
  isGone = false;

  override append(...args: Parameters<MemoryStore["append"]>): Promise<number> {
    return this.isGone ? Promise.reject(new Error("the store is gone")) : super.append(...args);
  }
}

test("a task that cannot be ended because its store is gone is told of, to be ended later", async () => {
  const clock = new FakeClock();
  const store = new LosableStore(() => clock.now());
  const onUnended = vi.fn();
  const losing = testSkill(async function* () {
    yield status("working");
    store.isGone = true;
    yield status("completed");
  });
  const engine = new Engine({
    ...{ store, clock, push: noPush, inputModes, outputModes, onUnended },
    relay: chargedRelay(async () => "", new Ledger()),
    route: byKeyword([losing]),
  });
  const { task } = await engine.send({ message: user("test") }, here);
  expect(onUnended.mock.calls).toEqual([[here.scope, task!.id]]);
  store.isGone = false;
  await engine.abandon(here, task!.id);
  const { status: now } = await engine.get({ id: task!.id }, here);
  expect([now.state, now.message?.parts[0]?.text]).toEqual([
    "TASK_STATE_FAILED",
    "The server that worked on this task has stopped before it was done; send the message again.",
  ]);
});
