import { expect, test, vi } from "vitest";
import { Readiness } from "./readiness.ts";

test("a server whose store answers is ready", async () => {
  expect(await new Readiness(async () => {}).trouble()).toBeUndefined();
});

test("a store that cannot be reached makes it unready, without a word of where that store is", async () => {
  const readiness = new Readiness(() => Promise.reject(new Error("connect ECONNREFUSED db.internal:5432")));
  expect(await readiness.trouble()).toBe("the store is unreachable or read-only");
});

test("so does one that does not answer in time", async () => {
  vi.useFakeTimers();
  const trouble = new Readiness(() => new Promise(() => {})).trouble();
  await vi.advanceTimersByTimeAsync(2_000);
  vi.useRealTimers();
  expect(await trouble).toBe("the store does not respond in time");
});

test("one that is shutting down is not ready, whatever its store says", async () => {
  const readiness = new Readiness(async () => {});
  readiness.leave();
  expect(await readiness.trouble()).toBe("shutting down");
});

test("probes that come at once ask the store once", async () => {
  const asked = vi.fn(async () => {});
  const readiness = new Readiness(asked);
  await Promise.all([readiness.trouble(), readiness.trouble(), readiness.trouble()]);
  expect(asked).toHaveBeenCalledTimes(1);
});
