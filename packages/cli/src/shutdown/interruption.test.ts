import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { paperScreen } from "../screen.fixture.ts";

// A command of another test file may still listen: it would take a signal of this file for its second one. So this file
// removes its listeners, and loads the module anew.
const names = ["SIGTERM", "SIGINT"] as const;
const others = new Map<(typeof names)[number], NodeJS.SignalsListener[]>();
vi.resetModules();
const { interruptible } = await import("./interruption.ts");

beforeEach(() => {
  for (const name of names) {
    others.set(name, process.listeners(name) as NodeJS.SignalsListener[]);
    process.removeAllListeners(name);
  }
  vi.useFakeTimers();
  vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
});
afterEach(() => {
  for (const [name, listeners] of others) for (const listener of listeners) process.on(name, listener);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("the deadline ends the process with the code of the signal, and names what is left", () => {
  const screen = paperScreen();
  const unfinished = () => ["tasks on the agent", "the report"];
  const { signal, release } = interruptible(screen, { timeout: 3, unfinished });
  process.emit("SIGTERM", "SIGTERM");
  expect(signal.aborted).toBe(true);
  vi.advanceTimersByTime(2_999);
  expect(screen.err()).toBe("");
  expect(() => vi.advanceTimersByTime(1)).toThrow("exit 143");
  expect(screen.err()).toBe(
    "assay: the shutdown took longer than 3 s (--shutdown-timeout). Not cleaned up: tasks on the agent; the report.\n",
  );
  release();
});

test("a second signal restores the terminal and ends the process at once", () => {
  const onForced = vi.fn();
  const { release } = interruptible(paperScreen(), { onForced });
  process.emit("SIGTERM", "SIGTERM");
  expect(onForced).not.toHaveBeenCalled();
  expect(() => process.emit("SIGINT", "SIGINT")).toThrow("exit 130");
  expect(onForced).toHaveBeenCalledOnce();
  release();
});

test("a command that ended in time is not ended again", () => {
  const listeners = process.listenerCount("SIGTERM");
  const { release } = interruptible(paperScreen(), {});
  process.emit("SIGTERM", "SIGTERM");
  release();
  vi.runAllTimers();
  expect(process.exit).not.toHaveBeenCalled();
  expect(process.listenerCount("SIGTERM")).toBe(listeners);
});
