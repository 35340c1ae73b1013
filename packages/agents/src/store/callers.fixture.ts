import type { Task } from "@assay/protocol";
import { expect } from "vitest";
import { CallerFull, type TaskEvent, type TaskStore } from "./store.ts";

/** Creates a store with a limit of open tasks per caller. */
type MakeLimited = (openTasks: number) => TaskStore | Promise<TaskStore>;

const noon = "2026-11-16T12:00:00.000Z";
const aTask = (id: string): Task => ({ id, status: { state: "TASK_STATE_WORKING", timestamp: noon } });
const ended: TaskEvent = { is: "status", status: { state: "TASK_STATE_COMPLETED", timestamp: noon } };

/** Test cases about callers' open tasks, for every store. */
export const callerCases: readonly { title: string; run(make: MakeLimited): Promise<void> }[] = [
  {
    title: "a caller has so many open tasks, in all its scopes together, and another has its own",
    async run(make) {
      const store = await make(2);
      await store.create("spec\n", aTask("a"), "alice");
      await store.create("full\n", aTask("b"), "alice");
      await expect(store.create("spec\n", aTask("c"), "alice")).rejects.toThrow(CallerFull);
      await store.create("spec\n", aTask("c"), "bob");
      expect(await store.snapshot("spec\n", "c")).toBeDefined();
    },
  },
  {
    title: "a task that has ended, or is gone, makes room for another",
    async run(make) {
      const store = await make(1);
      await store.create("spec\n", aTask("a"), "alice");
      await store.append("spec\n", "a", 1, [ended]);
      await store.create("spec\n", aTask("b"), "alice");
      await expect(store.create("spec\n", aTask("c"), "alice")).rejects.toThrow(CallerFull);
      await store.remove("spec\n", "b");
      await store.create("spec\n", aTask("c"), "alice");
    },
  },
  {
    title: "a task that is begun again counts like a new one, and stays as it was where that is too many",
    async run(make) {
      const store = await make(1);
      await store.create("spec\n", aTask("a"), "alice");
      await store.append("spec\n", "a", 1, [ended]);
      await store.replace("spec\n", aTask("a"), "alice");
      await store.append("spec\n", "a", 1, [ended]);
      await store.create("spec\n", aTask("b"), "alice");
      await expect(store.replace("spec\n", aTask("a"), "alice")).rejects.toThrow(CallerFull);
      expect((await store.snapshot("spec\n", "a"))?.task.status.state).toBe("TASK_STATE_COMPLETED");
    },
  },
];
