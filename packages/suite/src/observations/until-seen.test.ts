import { expect, test } from "vitest";
import { looseTask } from "../answers/reading.ts";
import type { Target } from "../define/target.ts";
import { askedFor, untilListed } from "./until-seen.ts";

/** An agent that shows it from a certain time on; each of its answers takes a while. */
async function asked(withinMs: number, shownFrom: number): Promise<{ shows: boolean; at: number }> {
  let at = 0;
  const sleep = async (ms: number): Promise<void> => {
    at += ms;
  };
  const ask = async (): Promise<number> => {
    at += 40;
    return at;
  };
  const { shows } = await askedFor({ sleep }, withinMs, ask, (time) => time >= shownFrom);
  return { shows, at };
}

test("what comes at the very end of the time is seen", async () => {
  expect(await asked(1_500, 1_500)).toMatchObject({ shows: true });
  expect(await asked(8_000, 8_000)).toMatchObject({ shows: true });
});

test("what does not come costs the time and not much more", async () => {
  const { shows, at } = await asked(1_500, 60_000);
  expect(shows).toBe(false);
  expect(at).toBeLessThan(2_000);
});

const json = { id: "t", status: { state: "TASK_STATE_COMPLETED" } };
const task = looseTask(json)!;

/** A list that never contains the task, of an agent that finds the task by its id only in some of the looks. */
function lookFor(isFound: (look: number) => boolean, withinMs = 8_000) {
  let looks = 0;
  const call = async () => (isFound(looks++) ? { reply: { is: "result", json } } : { reply: { is: "error" } });
  const due: Target["due"] = (_what, wait) => wait(withinMs);
  const target = { call, due, sleep: async () => {} } as unknown as Target;
  return untilListed(
    target,
    async () => looks,
    () => [task],
  );
}

test("a task that GetTask finds in each look is omitted", async () => {
  expect(await lookFor(() => true)).toMatchObject({ omitted: [{ id: "t" }] });
  expect(await lookFor(() => true, 0)).toMatchObject({ omitted: [{ id: "t" }] });
});

test("a task that GetTask does not find, or not yet, is not omitted", async () => {
  expect(await lookFor(() => false)).toEqual({ list: 0, omitted: [] });
  expect(await lookFor((look) => look > 0)).toEqual({ list: 0, omitted: [] });
});
