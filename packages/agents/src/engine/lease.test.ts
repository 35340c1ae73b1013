import { expect, test } from "vitest";
import { systemClock } from "../definition/clock.ts";
import { renewUntil } from "./lease.ts";

test("what is held is renewed as long as the work goes on, however time is scaled, and not afterwards", async () => {
  const clock = systemClock(0.001);
  const untils: number[] = [];
  let finish = (): void => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  await renewUntil(done, clock, 20, async (until) => {
    untils.push(until - clock.now());
    if (untils.length === 3) finish();
  });
  expect(untils).toHaveLength(3);
  expect(Math.max(...untils)).toBeLessThanOrEqual(20);
});
