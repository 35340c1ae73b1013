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
  const ms = await took(() => systemClock(0.001).sleep(20_000, forever));
  expect(ms).toBeGreaterThan(15);
  expect(ms).toBeLessThan(5_000);
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

test("nobody falls asleep after the abort", async () => {
  await expect(systemClock(0).sleep(0, AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
});
