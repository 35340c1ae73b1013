import { expect, test } from "vitest";
import { InProcessQueue } from "./in-process.ts";
import { jobOf, queueCases } from "./queue.fixture.ts";

test.each(queueCases.map(({ title, run }) => [title, run] as const))("%s", async (_title, run) => {
  await run(new InProcessQueue({ afterTroubleMs: 5 }));
});

test("a job whose handler throws every time is given up, and counted", async () => {
  const queue = new InProcessQueue({ afterTroubleMs: 1, mostThrows: 2 });
  await queue.add([jobOf("a")]);
  let calls = 0;
  await queue.work(
    async () => {
      calls++;
      throw new Error("always");
    },
    { concurrency: 1, signal: new AbortController().signal, untilEmpty: true },
  );
  expect([calls, await queue.counts()]).toEqual([2, { waiting: 0, active: 0, delayed: 0, failed: 1 }]);
});

test("workers that wait for jobs get those that come later", async () => {
  const queue = new InProcessQueue();
  const stop = new AbortController();
  const seen: string[] = [];
  const working = queue.work(
    async ({ agent }) => {
      seen.push(agent);
      if (seen.length === 2) stop.abort();
      return { done: true };
    },
    { concurrency: 4, signal: stop.signal },
  );
  await queue.add([jobOf("a")]);
  await queue.add([jobOf("b")]);
  await working;
  expect(seen.sort()).toEqual(["a", "b"]);
});
