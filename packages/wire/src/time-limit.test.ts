import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { timeLimit } from "./time-limit.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Returns true if a request that is limited by this signal is aborted. */
async function abortsIt(limit: (ms: number) => AbortSignal): Promise<boolean> {
  let isAborted = false;
  const run = new AbortController();
  AbortSignal.any([run.signal, limit(100)]).addEventListener("abort", () => {
    isAborted = true;
  });
  // This timer is due after the limit, so it also ends after it on a busy machine.
  const late = sleep(200);
  // The limit is no longer on the stack then.
  await sleep(0);
  collectGarbage();
  await late;
  return isAborted;
}

test("a garbage collection does not remove the time limit of a request", async () => {
  expect(await abortsIt(timeLimit)).toBe(true);
});

test("the limit says why it ended", async () => {
  const signal = timeLimit(1);
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  expect(signal.reason).toMatchObject({ name: "TimeoutError", message: "The time limit of 1 ms is over" });
});
