import { expect, test } from "vitest";
import { systemClock } from "./clock.ts";

const forever = new AbortController().signal;

async function took(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

test("time is the time of day", () => {
  const before = Date.now();
  const now = systemClock(0.01).now();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});

test("a sleep is scaled", async () => {
  const ends: number[] = [];
  const over = new AbortController();
  const sleeps = [1, 0.002, 0.001].map(async (scale) => {
    await systemClock(scale)
      .sleep(20_000, over.signal)
      .catch(() => {});
    if (!over.signal.aborted) ends.push(scale);
  });
  await Promise.all(sleeps.slice(1));
  over.abort();
  expect(ends).toEqual([0.001, 0.002]);
});

test("a sleep is not scaled below its bound", async () => {
  expect(await took(() => systemClock(0).sleep(60_000, forever, 50))).toBeGreaterThan(45);
});

test("a sleep ends when it is aborted", async () => {
  const controller = new AbortController();
  const sleeping = systemClock().sleep(60_000, controller.signal);
  controller.abort();
  await expect(sleeping).rejects.toThrow("aborted");
});

test("sleep rejects after the abort", async () => {
  await expect(systemClock(0).sleep(0, AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
});
