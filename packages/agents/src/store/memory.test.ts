import { BudgetExceeded, Ledger } from "@assay/wire/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { callerCases } from "./callers.fixture.ts";
import { limitCases } from "./cases/limits.fixture.ts";
import type { MakeStore } from "./cases/store-case.fixture.ts";
import { MemoryStore } from "./memory.ts";
import { RecencyOrder } from "./recency.ts";
import { storeCases } from "./store.fixture.ts";
import { CursorExpired, type TaskFilter } from "./store.ts";

/** A single caller may use the whole store. */
const inMemory: MakeStore = (now, { tasks = 1_000, bytes } = {}) =>
  new MemoryStore(now, {
    tasks,
    ...(bytes === undefined ? {} : { ledger: new Ledger({ caller: bytes, total: 2 * bytes }) }),
  });

describe("in memory", () => {
  const cases = [...storeCases, ...limitCases].map(({ title, run }) => [title, run] as const);
  test.each(cases)("%s", (_title, run) => run(inMemory));

  test.each(callerCases.map(({ title, run }) => [title, run] as const))("%s", (_title, run) =>
    run((openTasks) => new MemoryStore(() => 0, { openTasks })),
  );

  test("its size is the number of tasks of all scopes", async () => {
    const store = new MemoryStore(() => 0);
    const status = { state: "TASK_STATE_WORKING" } as const;
    await store.create("one", { id: "a", status });
    await store.create("two", { id: "b", status });
    expect(store.size).toBe(2);
  });

  test("a status without a time is as new as its arrival", async () => {
    let time = 1_000;
    const store = new MemoryStore(() => time++);
    const status = { state: "TASK_STATE_WORKING" } as const;
    for (const id of ["a", "b", "c"]) await store.create("scope", { id, status });
    await store.append("scope", "a", 1, [{ is: "status", status }]);
    const page = await store.list("scope", {}, 10);
    expect(page.tasks.map(({ id }) => id)).toEqual(["a", "c", "b"]);
  });

  test("a cursor from before more changes than are remembered is refused, instead of losing tasks", async () => {
    const store = new MemoryStore(() => 0);
    const status = { state: "TASK_STATE_WORKING", timestamp: "2026-11-15T12:00:00.000Z" } as const;
    for (const id of ["a", "b", "c"]) await store.create("scope", { id, status });
    const { cursor } = await store.list("scope", {}, 1);
    for (let seq = 1; seq <= 5_000; seq++) {
      for (const id of ["a", "b"]) {
        await store.append("scope", id, seq, [{ is: "status", status }]);
        // A place that no walk has seen is not kept.
        await store.list("scope", {}, 1);
      }
    }
    await expect(store.list("scope", {}, 1, cursor)).rejects.toThrow(CursorExpired);
  });

  test("a task that is being read is not forgotten, nor given back, before its last reader is done", async () => {
    const ledger = new Ledger({ caller: 20_000, total: 100_000 });
    const store = new MemoryStore(() => 0, { ledger });
    const status = (state: "TASK_STATE_WORKING" | "TASK_STATE_COMPLETED") =>
      ({ is: "status", status: { state } }) as const;
    const history = [{ messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "x".repeat(10_000) }] }];
    const task = { id: "a", status: status("TASK_STATE_WORKING").status, history };
    await store.create("scope", task, "me");
    const reader = store.follow("scope", "a", 0, new AbortController().signal);
    await reader.next();
    await store.append("scope", "a", 1, [status("TASK_STATE_COMPLETED")]);
    await expect(store.create("scope", { ...task, id: "b" }, "me")).rejects.toThrow(BudgetExceeded);
    await store.create("scope", { ...task, id: "b" }, "you");
    await reader.return();
    await store.create("scope", { ...task, id: "c" }, "me");
    expect([await store.snapshot("scope", "a"), ledger.of("me")]).toEqual([undefined, ledger.of("you")]);
  });

  test("those who add to a task pay for it, and it is given back to each", async () => {
    const ledger = new Ledger({ caller: 20_000, total: 100_000 });
    const store = new MemoryStore(() => 0, { ledger });
    await store.create("scope", { id: "a", status: { state: "TASK_STATE_WORKING" } }, "me");
    const before = ledger.of("me");
    const message = { messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "x".repeat(15_000) }] };
    await store.append("scope", "a", 1, [{ is: "message", message }], "you");
    await expect(store.append("scope", "a", 2, [{ is: "message", message }], "you")).rejects.toThrow(BudgetExceeded);
    expect([ledger.of("me"), ledger.of("you") > 15_000]).toEqual([before, true]);
    await store.remove("scope", "a");
    expect(ledger.total).toBe(0);
  });

  test("tasks that are deleted to make room are reported", async () => {
    const forgotten: string[] = [];
    const onForget = (scope: string, id: string) => forgotten.push(`${scope} ${id}`);
    const store = new MemoryStore(() => 0, { tasks: 1, onForget });
    await store.create("one", { id: "a", status: { state: "TASK_STATE_WORKING" } });
    await store.append("one", "a", 1, [{ is: "status", status: { state: "TASK_STATE_COMPLETED" } }]);
    await store.create("two", { id: "b", status: { state: "TASK_STATE_WORKING" } });
    await store.remove("two", "b");
    expect(forgotten).toEqual(["one a"]);
  });
});

describe("the cost of a list, in places visited", () => {
  /** Five thousand tasks: one in a thousand in the context "rare", one in five hundred still open. */
  async function crowd() {
    const store = new MemoryStore(() => 0);
    for (let n = 0; n < 5_000; n++) {
      const state = n % 500 === 0 ? "TASK_STATE_WORKING" : "TASK_STATE_COMPLETED";
      const timestamp = new Date(1_000 * n).toISOString();
      const contextId = n % 1_000 === 0 ? "rare" : `c${n % 3}`;
      await store.create("scope", { id: `t${n}`, contextId, status: { state, timestamp } });
    }
    let visited = 0;
    const walk = RecencyOrder.prototype.walk;
    vi.spyOn(RecencyOrder.prototype, "walk").mockImplementation(function* (this: RecencyOrder, position) {
      for (const slot of walk.call(this, position)) {
        visited++;
        yield slot;
      }
    });
    onTestFinished(() => void vi.restoreAllMocks());
    return { store, visited: () => visited };
  }

  test.each<[string, TaskFilter, number, number]>([
    ["nothing", {}, 5_000, 11],
    ["a context", { contextId: "rare" }, 5, 5],
    ["a large context", { contextId: "c1" }, 1_665, 11],
    ["a state", { state: "TASK_STATE_WORKING" }, 10, 10],
    ["a time", { since: 1_000 * 4_990 }, 10, 22],
    ["a context and a state", { contextId: "rare", state: "TASK_STATE_WORKING" }, 5, 10],
    ["a context that is not there", { contextId: "none" }, 0, 0],
  ])("by %s", async (_name, filter, total, most) => {
    const { store, visited } = await crowd();
    const page = await store.list("scope", filter, 10);
    expect([page.total, page.tasks.length]).toEqual([total, Math.min(total, 10)]);
    expect(visited()).toBeLessThanOrEqual(most);
    if (page.cursor === undefined) return;
    await store.list("scope", filter, 10, page.cursor);
    expect(visited()).toBeLessThanOrEqual(2 * most);
  });
});

test("what no walk has seen takes no room, however often a task moves", async () => {
  const store = new MemoryStore(() => 0);
  const status = { state: "TASK_STATE_WORKING", timestamp: "2026-11-15T12:00:00.000Z" } as const;
  for (const id of ["a", "b", "c"]) await store.create("scope", { id, status });
  const { cursor } = await store.list("scope", {}, 1);
  for (let seq = 1; seq <= 5_000; seq++) {
    for (const id of ["a", "b"]) await store.append("scope", id, seq, [{ is: "status", status }]);
  }
  const { tasks } = await store.list("scope", {}, 5, cursor);
  expect(tasks.map(({ id }) => id).sort()).toEqual(["a", "b"]);
});
