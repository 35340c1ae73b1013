import { describe, expect, test } from "vitest";
import { MemoryStore } from "./memory.ts";
import { boundedStoreCases, type MakeStore, storeCases } from "./store.case.ts";
import { CursorExpired } from "./store.ts";

const inMemory: MakeStore = (now, limits) => new MemoryStore(now, limits);

describe("in memory", () => {
  const cases = [...storeCases, ...boundedStoreCases].map(({ title, run }) => [title, run] as const);
  test.each(cases)("%s", (_title, run) => run(inMemory));

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
      // In turns: a task that is in front already leaves no place behind.
      for (const id of ["a", "b"]) await store.append("scope", id, seq, [{ is: "status", status }]);
    }
    await expect(store.list("scope", {}, 1, cursor)).rejects.toThrow(CursorExpired);
  });
});
