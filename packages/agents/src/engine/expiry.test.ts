import { describe, expect, test } from "vitest";
import { brief, collect, engineHarness, forever, here, refusal, user } from "./engine.fixture.ts";

const minute = 60_000;
const expired = 'FAILED agent "The agent ended this task because it had no activity for too long."';

describe("a task that nothing happens to", () => {
  test("is ended when its time is over, not before", async () => {
    const { begin, now, clock, ledger, engine } = engineHarness({ waitMs: 10 * minute });
    const task = await begin("multi-turn");
    await clock.pass(10 * minute - 1);
    expect((await now(task)).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    await clock.pass(minute);
    expect(brief(await now(task))).toBe(expired);
    expect((await refusal(engine.send({ message: user("on", { taskId: task.id }) }, here))).kind).toBe(
      "UnsupportedOperation",
    );
    expect(ledger.total).toBeGreaterThan(0);
  });

  test("has its time anew with every message", async () => {
    const { begin, follow, now, clock } = engineHarness({ waitMs: 10 * minute });
    const task = await begin("multi-turn");
    for (let n = 0; n < 3; n++) {
      await clock.pass(9 * minute);
      expect((await follow(task, "on")).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    }
    await clock.pass(11 * minute);
    expect(brief(await now(task))).toBe(expired);
  });

  test("ends while its skill works, and stops the skill", async () => {
    const { start, now, clock, engine } = engineHarness({ waitMs: minute });
    const task = await start("slow 3600");
    const events = await engine.subscribe({ id: task.id }, here, forever);
    await clock.pass(2 * minute);
    const told = await collect(events);
    expect(told.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_FAILED");
    expect([brief(await now(task)), clock.sleepers]).toEqual([expired, 0]);
  });

  test("and that has ended stays as it ended", async () => {
    const { begin, now, clock } = engineHarness({ waitMs: minute });
    const task = await begin("task-lifecycle x");
    await clock.pass(10 * minute);
    expect([(await now(task)).status.state, clock.sleepers]).toEqual(["TASK_STATE_COMPLETED", 0]);
  });

  test("is looked at together with others that are due soon after it", async () => {
    const { begin, now, clock } = engineHarness({ waitMs: 100 * minute });
    const [first, second] = [await begin("multi-turn"), await begin("multi-turn")];
    await clock.pass(1_000);
    const third = await begin("multi-turn");
    await clock.pass(102 * minute);
    expect(await Promise.all([first, second, third].map(async (task) => brief(await now(task))))).toEqual([
      expired,
      expired,
      expired,
    ]);
  });
});
