import { expect, test } from "vitest";
import { isDatabaseAway, patiently, reconnectPause } from "./patience.ts";

const failing = (...errors: readonly object[]) => {
  const left = [...errors];
  return async (): Promise<string> => {
    const error = left.shift();
    if (error) throw error;
    return "done";
  };
};

test("an unreachable server is retried, and each failure is reported", async () => {
  const told: unknown[] = [];
  const away = [{ code: "57P01" }, new Error("cut off")];
  const { signal } = new AbortController();
  await expect(patiently(failing(...away), { signal, trouble: (error) => told.push(error) })).resolves.toBe("done");
  expect(told).toEqual(away);
});

test("an answer of the server is not asked for again, nor is one that is no longer wanted", async () => {
  const trouble = () => {};
  const stop = new AbortController();
  const refusal = { code: "42501" };
  await expect(patiently(failing(refusal), { signal: stop.signal, trouble })).rejects.toBe(refusal);
  stop.abort();
  await expect(patiently(failing({ code: "57P01" }), { signal: stop.signal, trouble })).rejects.toEqual({
    code: "57P01",
  });
});

test("pauses grow up to ten seconds, and differ from process to process", () => {
  expect([1, 2, 3, 8, 100].map((times) => reconnectPause(times, () => 1))).toEqual([100, 200, 400, 10_000, 10_000]);
  expect([1, 100].map((times) => reconnectPause(times, () => 0))).toEqual([50, 5_000]);
});

test.each([
  ["a server that is stopping", Object.assign(new Error("x"), { code: "57P01" }), true],
  ["a connection that is refused", Object.assign(new Error("x"), { code: "ECONNREFUSED" }), true],
  ["a pipe that broke", Object.assign(new Error("x"), { code: "EPIPE" }), true],
  ["a connection that was cut", new Error("Connection terminated unexpectedly"), true],
  ["a disk that is full", Object.assign(new Error("x"), { code: "53100" }), true],
  ["a table that is missing", Object.assign(new Error("x"), { code: "42P01" }), false],
  ["a file of SQLite that is broken", Object.assign(new Error("x"), { code: "ERR_SQLITE_ERROR" }), false],
  ["a mistake of ours", new TypeError("x is undefined"), false],
])("%s may pass, or not", (_what, error, isAway) => {
  expect(isDatabaseAway(error)).toBe(isAway);
});
