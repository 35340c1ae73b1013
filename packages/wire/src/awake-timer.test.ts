import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { whenAwakeFor } from "./awake-timer.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The time of a process that has nothing else to do. */
const idle = (): number => Date.now();

test("acts when the time is over, and not before", () => {
  const act = vi.fn();
  whenAwakeFor(1_030, act, idle);
  vi.advanceTimersByTime(1_029);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(act).toHaveBeenCalledOnce();
});

test("a process that stood still has the rest of the time before it", () => {
  const act = vi.fn();
  whenAwakeFor(1_000, act, idle);
  // The next timer that is due fires late, once, as it does after a standstill.
  vi.setSystemTime(Date.now() + 5_000);
  vi.advanceTimersToNextTimer();
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(949);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(act).toHaveBeenCalledOnce();
});

test("time in which the process is busy does not count", () => {
  const act = vi.fn();
  whenAwakeFor(200, act, () => Date.now() / 2);
  vi.advanceTimersByTime(300);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(300);
  expect(act).toHaveBeenCalledOnce();
});

test("in a process that is never idle the time is ten times as long", () => {
  const act = vi.fn();
  whenAwakeFor(200, act, () => 0);
  vi.advanceTimersByTime(1_500);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(500);
  expect(act).toHaveBeenCalledOnce();
});

test("what is called off does not happen", () => {
  const act = vi.fn();
  const callOff = whenAwakeFor(120, act, idle);
  vi.advanceTimersByTime(60);
  callOff();
  vi.advanceTimersByTime(1_000);
  expect(act).not.toHaveBeenCalled();
});

test("no time at all is one turn", () => {
  const act = vi.fn();
  whenAwakeFor(-5, act, idle);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(act).toHaveBeenCalledOnce();
});
