import type { JsonObject, Operation } from "@assay/protocol";
import type { Reply } from "@assay/wire";
import { beforeEach, describe, expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import type { Due } from "../../define/target.ts";
import { KnownTasks } from "./known-tasks.ts";

let now = 0;
const asker = {
  principal: "user" as const,
  on: { url: "http://127.0.0.1/", binding: "JSONRPC" as const, dialect: "1.0" as const },
  due: <T>(_: Due, wait: (withinMs: number) => Promise<T>): Promise<T> => wait(30_000),
  grace: 30_000,
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

const over = (operation: Operation, json: JsonObject, params: JsonObject): Call => ({
  ...callOf(operation, { is: "result", json }),
  params,
});
const configOf = (id: string): JsonObject => ({ id, taskId: "a", url: "https://example.com/" });
const stored = (id: string): Call => over("CreateTaskPushNotificationConfig", configOf(id), { taskId: "a" });

let tasks: KnownTasks;
let times = 0;
beforeEach(() => {
  now = 0;
  times = 0;
  tasks = new KnownTasks();
});

interface Setup {
  readonly operation?: Operation;
  readonly params?: JsonObject;
  readonly how?: { readonly mayBeGone?: true; readonly fair?: false };
  readonly who?: object;
  /** what GetTask says to those who ask for something else */
  readonly read?: Call;
}

/** Asks an agent whose answer changes at this time. */
function ask([before, from, after]: readonly [Call, number, Call], setup: Setup = {}): Promise<Call> {
  const { operation = "GetTask", params = { id: "a" }, how = {}, who = {}, read = found } = setup;
  return tasks.settled(
    {
      operation,
      params,
      how,
      ask: async () => {
        times++;
        return now >= from ? after : before;
      },
      callIn: async (call) => call,
      read: async () => read,
    },
    { ...asker, ...who },
  );
}

const never = Number.POSITIVE_INFINITY;
const late = [unknown, 500, found] as const;
const lost = [unknown, never, found] as const;
const notKept = "the agent does not keep ended tasks";

describe("what the agent has given out", () => {
  test("is asked for until it is found", async () => {
    tasks.learn(sent("TASK_STATE_WORKING"), asker);
    expect(await ask(late)).toBe(found);
    expect(times).toBeGreaterThan(1);
  });

  test("is known from the events of an open stream", async () => {
    tasks.hear({ is: "result", json: { task: taskOf("TASK_STATE_WORKING") } } as never, "SendStreamingMessage", asker);
    expect(await ask(late)).toBe(found);
  });

  test.each<[Operation, JsonObject]>([
    ["CancelTask", { id: "a" }],
    ["SubscribeToTask", { id: "a" }],
    ["SendMessage", { message: { taskId: "a" } }],
    ["SendStreamingMessage", { message: { taskId: "a" } }],
    ["CreateTaskPushNotificationConfig", { taskId: "a" }],
    ["ListTaskPushNotificationConfigs", { taskId: "a" }],
  ])("is asked for until it is found by %s", async (operation, params) => {
    tasks.learn(sent("TASK_STATE_WORKING"), asker);
    expect(await ask(late, { operation, params })).toBe(found);
  });

  test("is asked for once where the agent never named it, or named it to another principal", async () => {
    await ask(late);
    tasks.learn(sent("TASK_STATE_WORKING"), asker);
    await ask(late, { who: { principal: "second" } });
    expect(times).toBe(2);
  });

  test("is not found for the whole grace time: that is the answer, and the third one is not waited for", async () => {
    const waits = [];
    for (const id of ["a", "b", "c"]) {
      tasks.learn(sent("TASK_STATE_WORKING", id), asker);
      now = 0;
      expect(await ask(lost, { params: { id } })).toBe(unknown);
      waits.push(now > 20_000);
    }
    expect(waits).toEqual([true, true, false]);
  });

  test("is asked for only for a moment by a request that is wrong on purpose", async () => {
    tasks.learn(sent("TASK_STATE_WORKING"), asker);
    await ask(lost, { operation: "CancelTask", how: { fair: false } });
    expect(now).toBeLessThanOrEqual(1_000);
  });

  test("is read again where an old state of an ended task is shown", async () => {
    const ended = over("GetTask", taskOf("TASK_STATE_CANCELED"), { id: "a" });
    tasks.learn(ended, asker);
    expect(await ask([found, 500, ended])).toBe(ended);
  });

  test("goes on when a message opens it again", async () => {
    tasks.learn(sent("TASK_STATE_COMPLETED"), asker);
    tasks.learn(over("SendMessage", { task: taskOf("TASK_STATE_WORKING") }, { message: { taskId: "a" } }), asker);
    expect(await ask([found, never, unknown])).toBe(found);
    expect(times).toBe(1);
  });
});

describe("a task that has ended and is gone", () => {
  test("is waited for a moment, and what needs it is not examined", async () => {
    tasks.learn(sent("TASK_STATE_COMPLETED"), asker);
    await expect(ask(lost)).rejects.toThrow(notKept);
    expect(now).toBeLessThanOrEqual(1_000);
  });

  test("may have ended since it was last seen at work", async () => {
    tasks.learn(found, asker);
    await expect(ask(lost)).rejects.toThrow(notKept);
  });

  test("cannot have ended by itself while it waits for the user", async () => {
    tasks.learn(over("GetTask", taskOf("TASK_STATE_INPUT_REQUIRED"), { id: "a" }), asker);
    expect(await ask(lost)).toBe(unknown);
  });

  test("is gone for other operations only where GetTask does not find it either", async () => {
    tasks.learn(sent("TASK_STATE_COMPLETED"), asker);
    await expect(ask(lost, { operation: "CancelTask", read: unknown })).rejects.toThrow(notKept);
    expect(await ask(lost, { operation: "CancelTask", read: found })).toBe(unknown);
    expect(now).toBeGreaterThan(20_000);
  });

  test("is told to those who want to know", async () => {
    tasks.learn(sent("TASK_STATE_COMPLETED"), asker);
    expect(await ask(lost, { how: { mayBeGone: true } })).toBe(unknown);
  });

  test("is no longer waited for when the agent has purged two", async () => {
    const waits = [];
    for (const id of ["a", "b", "c"]) {
      tasks.learn(sent("TASK_STATE_COMPLETED", id), asker);
      now = 0;
      await ask(lost, { params: { id }, how: { mayBeGone: true } });
      waits.push(now > 0);
    }
    expect(waits).toEqual([true, true, false]);
  });
});

describe("a push configuration", () => {
  const get = { operation: "GetTaskPushNotificationConfig", params: { taskId: "a", id: "one" } } as const;
  const config = callOf("GetTaskPushNotificationConfig", { is: "result", json: configOf("one") });
  const deletion = over("DeleteTaskPushNotificationConfig", {}, get.params);
  beforeEach(() => tasks.learn(sent("TASK_STATE_WORKING"), asker));

  test("that was stored is asked for until it is found", async () => {
    tasks.learn(stored("one"), asker);
    expect(await ask([unknown, 500, config], get)).toBe(config);
  });

  test("that was deleted is asked for until it is gone", async () => {
    for (const call of [stored("one"), deletion]) tasks.learn(call, asker);
    expect(await ask([config, 500, unknown], get)).toBe(unknown);
    expect(await ask([config, never, unknown], get)).toBe(config);
  });

  test("that was never stored is asked for once", async () => {
    tasks.learn(stored("other"), asker);
    expect(await ask([unknown, 500, config], get)).toBe(unknown);
    expect(times).toBe(1);
  });

  test("of a task that has ended may be forgotten", async () => {
    tasks.learn(stored("one"), asker);
    tasks.learn(over("GetTask", taskOf("TASK_STATE_COMPLETED"), { id: "a" }), asker);
    expect(await ask([unknown, never, config], get)).toBe(unknown);
    expect(now).toBeLessThanOrEqual(1_000);
  });

  test("is due in a list from when it is stored until it is deleted", () => {
    for (const call of [stored("one"), stored("two"), deletion]) tasks.learn(call, asker);
    expect(tasks.configsOf("a", asker)).toEqual({ stored: ["two"], deleted: ["one"] });
    expect(tasks.configsOf("b", asker)).toEqual({ stored: [], deleted: [] });
  });
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

describe("after a restart of the agent", () => {
  test.each<[string, Setup]>([
    ["by GetTask", {}],
    ["by who can do without it", { how: { mayBeGone: true } }],
  ])("a task that is not found %s is lost, and the agent is not said to purge it", async (_, setup) => {
    tasks.learn(sent("TASK_STATE_COMPLETED"), asker);
    tasks.mayBeLost();
    await expect(ask(lost, setup)).rejects.toThrow("the agent restarted");
  });

  test("a task that the agent shows again is not lost", async () => {
    tasks.learn(sent("TASK_STATE_COMPLETED"), asker);
    tasks.mayBeLost();
    tasks.learn(over("GetTask", taskOf("TASK_STATE_COMPLETED"), { id: "a" }), asker);
    await expect(ask(lost)).rejects.toThrow(notKept);
  });
});

describe("the lag of reads", () => {
  const ended = over("GetTask", taskOf("TASK_STATE_COMPLETED"), { id: "a" });

  test("is seen at a task that had ended, and is found later", async () => {
    tasks.learn(sent("TASK_STATE_COMPLETED"), asker);
    expect(tasks.lag).toBe(0);
    await ask([unknown, 300, ended]);
    expect(tasks.lag).toBe(1_000);
  });

  test("is seen at an old state of a task that had ended", async () => {
    tasks.learn(sent("TASK_STATE_COMPLETED"), asker);
    await ask([found, 3_000, ended]);
    expect(tasks.lag).toBeGreaterThan(5_000);
  });

  test("is not seen at a task at work, which the agent may not have stored yet, nor at one that is never found", async () => {
    tasks.learn(sent("TASK_STATE_WORKING"), asker);
    await ask([unknown, 300, found]);
    tasks.learn(sent("TASK_STATE_COMPLETED", "b"), asker);
    await ask(lost, { params: { id: "b" }, how: { mayBeGone: true } });
    expect(tasks.lag).toBe(0);
  });
});
