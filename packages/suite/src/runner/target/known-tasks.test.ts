import type { JsonObject, Operation } from "@assay/protocol";
import type { Reply } from "@assay/wire";
import { beforeEach, describe, expect, test } from "vitest";
import type { Call } from "../../call.ts";
import type { Due } from "../../due.ts";
import { KnownTasks } from "./known-tasks.ts";

let now = 0;
const asker = {
  principal: "user" as const,
  on: { url: "http://127.0.0.1/", binding: "JSONRPC" as const, dialect: "1.0" as const },
  due: <T>(_: Due, wait: (withinMs: number) => Promise<T>): Promise<T> => wait(30_000),
  quiet: 1_000,
  now: () => now,
  sleep: async (ms: number) => {
    now += ms;
  },
};

const callOf = (operation: Operation, reply: Reply): Call => ({ operation, on: asker.on, reply }) as unknown as Call;
const taskOf = (state: string, id = "a"): JsonObject => ({ id, status: { state } });
const sent = (state: string, id = "a"): Call =>
  callOf("SendMessage", { is: "result", json: { task: taskOf(state, id) } });
const found = callOf("GetTask", { is: "result", json: taskOf("TASK_STATE_WORKING") });
const unknown = callOf("GetTask", {
  is: "error",
  error: { code: -32001, message: "no such task", http: 200, details: [] },
});

/** Asked again and again, an agent that finds the task from this time on. */
async function timesAsked(tasks: KnownTasks, foundFrom: number, id = "a", who: object = asker): Promise<number> {
  let times = 0;
  const ask = async (): Promise<Call> => {
    times++;
    return now >= foundFrom ? found : unknown;
  };
  await tasks.untilFound("GetTask", { id }, { ...asker, ...who }, ask);
  return times;
}

let tasks: KnownTasks;
beforeEach(() => {
  now = 0;
  tasks = new KnownTasks();
});

test("a task that the agent named is asked for until it is found", async () => {
  tasks.learn(sent("TASK_STATE_WORKING"), asker);
  expect(await timesAsked(tasks, 500)).toBeGreaterThan(1);
  expect(now).toBeGreaterThanOrEqual(500);
});

test("one that was never named, or to another principal, is asked for once", async () => {
  expect(await timesAsked(tasks, 500)).toBe(1);
  tasks.learn(sent("TASK_STATE_WORKING"), asker);
  expect(await timesAsked(tasks, 500, "a", { principal: "second" })).toBe(1);
});

test("one that was to be read before, and is not there any more, is gone", async () => {
  tasks.learn(sent("TASK_STATE_WORKING"), asker);
  tasks.learn(found, asker);
  expect(await timesAsked(tasks, 500)).toBe(1);
});

test("one at work is waited for as long as the grace lasts, an ended one, which may be purged, for a moment", async () => {
  tasks.learn(sent("TASK_STATE_WORKING", "a"), asker);
  await timesAsked(tasks, Number.POSITIVE_INFINITY, "a");
  expect(now).toBeGreaterThan(20_000);
  now = 0;
  tasks.learn(sent("TASK_STATE_COMPLETED", "b"), asker);
  await timesAsked(tasks, Number.POSITIVE_INFINITY, "b");
  expect(now).toBeLessThanOrEqual(1_000);
});

test("an agent that does not keep its tasks is not waited for again and again", async () => {
  for (const id of ["a", "b", "c"]) tasks.learn(sent("TASK_STATE_COMPLETED", id), asker);
  const times = [];
  for (const id of ["a", "b", "c"]) times.push(await timesAsked(tasks, Number.POSITIVE_INFINITY, id));
  expect(times.map((count) => count > 1)).toEqual([true, true, false]);
});

describe("a task that came by", () => {
  const shown = (id: string, messages: number, params: JsonObject = { id }): Call => ({
    ...callOf("GetTask", {
      is: "result",
      json: { ...taskOf("TASK_STATE_COMPLETED", id), history: Array(messages).fill({}) },
    }),
    params,
  });
  const recalled = (who: object = {}) => tasks.recall({ ...asker, ...who }, ({ history }) => history.length > 1)?.id;

  test("is remembered as it was last shown, the latest first", () => {
    for (const call of [shown("a", 2), shown("b", 3), shown("c", 1), shown("b", 1)]) tasks.learn(call, asker);
    expect(recalled()).toBe("a");
  });

  test("is known to the interface and the principal that it was shown to", () => {
    tasks.learn(shown("a", 2), asker);
    expect(recalled({ principal: "second" })).toBeUndefined();
    expect(recalled({ on: { ...asker.on, binding: "GRPC" } })).toBeUndefined();
  });

  test("says nothing about its history where that was asked for in part", () => {
    tasks.learn(shown("a", 2, { id: "a", historyLength: 2 }), asker);
    expect(recalled()).toBeUndefined();
  });
});
