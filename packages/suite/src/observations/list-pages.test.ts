import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import { looseTask } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import type { Target } from "../define/target.ts";
import { listWithin } from "./list-pages.ts";

const json = { id: "t", status: { state: "TASK_STATE_COMPLETED" } };
const task = looseTask(json)!;

/** An agent that decides for each list, by the number of lists before, if it has the task. */
function agent(has: (isNarrow: boolean, before: number) => boolean) {
  let lists = 0;
  let waits = 0;
  const call = async (operation: string, params: JsonObject) => {
    const tasks = operation === "GetTask" || has("narrow" in params, lists++) ? [json] : [];
    const result = operation === "GetTask" ? json : { tasks, nextPageToken: "" };
    return { operation, reply: { is: "result", json: result } } as unknown as Call;
  };
  const due: Target["due"] = (_what, wait) => {
    waits += 1;
    return wait(8_000);
  };
  const target = { call, due, sleep: async () => {} } as unknown as Target;
  return async () => {
    const { page } = await listWithin(target, { narrow: true }, task, {});
    return { isListed: page?.tasks.length === 1, lists, waits };
  };
}

test("a task that the narrow list shows is seen at once", async () => {
  expect(await agent(() => true)()).toEqual({ isListed: true, lists: 1, waits: 0 });
});

test("a task that only the narrow list omits is not waited for", async () => {
  expect(await agent((isNarrow) => !isNarrow)()).toEqual({ isListed: false, lists: 9, waits: 0 });
});

test("a task that both lists omit may be late, and is waited for", async () => {
  expect(await agent((_isNarrow, before) => before >= 6)()).toMatchObject({ isListed: true, waits: 1 });
});

test.each([2, 3])("a task that one of %i replicas does not know is seen in the list of another", async (replicas) => {
  expect(await agent((_isNarrow, before) => before % replicas !== 0)()).toMatchObject({ isListed: true });
});
