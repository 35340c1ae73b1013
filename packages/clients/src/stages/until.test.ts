import { describe, expect, test } from "vitest";
import { until } from "./until.ts";

/** A clock whose delays end only if they are aborted. */
const stopped = () => {
  const sleeping = new Set<number>();
  const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((_resolve, reject) => {
      sleeping.add(ms);
      signal.addEventListener("abort", () => {
        sleeping.delete(ms);
        reject(signal.reason);
      });
    });
  return { sleeping, clock: { now: () => 0, sleep } };
};

describe("waiting for an event", () => {
  test("leaves no delay behind when the event comes", async () => {
    const { clock, sleeping } = stopped();
    const event = new AbortController();
    const waiting = until(event.signal, 600_000, { clock, signal: new AbortController().signal });
    expect([...sleeping]).toEqual([600_000]);
    event.abort();
    expect(await waiting).toBe(true);
    expect([...sleeping]).toEqual([]);
  });

  test("ends with the task", async () => {
    const { clock } = stopped();
    const task = new AbortController();
    const waiting = until(new AbortController().signal, 600_000, { clock, signal: task.signal });
    task.abort(new Error("canceled"));
    await expect(waiting).rejects.toThrow("canceled");
  });

  test("gives up when the time is over", async () => {
    const clock = { now: () => 0, sleep: async () => {} };
    const { signal } = new AbortController();
    expect(await until(new AbortController().signal, 1, { clock, signal })).toBe(false);
  });
});
