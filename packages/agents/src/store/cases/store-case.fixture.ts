import type { Message, Task, TaskState } from "@assay/protocol";
import fc from "fast-check";
import type { TaskEvent, TaskFilter, TaskStore } from "../store.ts";

/** Creates an empty store with the clock `now` and these `limits`. */
export interface MakeStore {
  (now: () => number, limits?: { readonly tasks?: number; readonly bytes?: number }): TaskStore | Promise<TaskStore>;
  /** maximum number of runs of a property; a store that waits for a disk gets fewer */
  readonly mostRuns?: number;
}

export interface StoreCase {
  readonly title: string;
  run(make: MakeStore): Promise<void>;
}

/** The values that an arbitrary makes. */
export type FcValue<A> = A extends fc.Arbitrary<infer T> ? T : never;

export const runsOn = ({ mostRuns = Number.POSITIVE_INFINITY }: MakeStore) => ({
  numRuns: Math.min(fc.readConfigureGlobal().numRuns ?? mostRuns, mostRuns),
});

export const scope = "spec\n";
export const noon = Date.parse("2026-11-15T12:00:00.000Z");
export const iso = (time: number): string => new Date(time).toISOString();
export const forever = new AbortController().signal;

export const said = (messageId: string, text: string): Message => ({ messageId, role: "ROLE_USER", parts: [{ text }] });

export function aTask(id: string, time = noon, contextId = "context"): Task {
  const status = { state: "TASK_STATE_SUBMITTED", timestamp: iso(time) } as const;
  return { id, contextId, status, history: [said(`first of ${id}`, "begin")] };
}

export const status = (state: TaskState, time = noon): TaskEvent => ({
  is: "status",
  status: { state, timestamp: iso(time) },
});
export const working = (time?: number) => status("TASK_STATE_WORKING", time);
export const completed = (time?: number) => status("TASK_STATE_COMPLETED", time);

export function chunk(text: string, append: boolean): TaskEvent {
  return { is: "artifact", artifact: { artifactId: "a", parts: [{ text }] }, append, lastChunk: false };
}

/** One event of each kind; the last ends the task. */
export const wholeLife: readonly TaskEvent[] = [
  working(),
  { is: "status", status: { state: "TASK_STATE_WORKING", timestamp: iso(noon), message: said("m1", "still at it") } },
  chunk("one ", false),
  chunk("two", true),
  { is: "message", message: said("m2", "go on") },
  { is: "cancel-requested", metadata: { reason: "late" } },
  completed(),
];

export const lived: Task = {
  ...aTask("t"),
  status: { state: "TASK_STATE_COMPLETED", timestamp: iso(noon) },
  history: [said("first of t", "begin"), said("m1", "still at it"), said("m2", "go on")],
  artifacts: [{ artifactId: "a", parts: [{ text: "one " }, { text: "two" }] }],
  metadata: { reason: "late" },
};

export async function followed(batches: AsyncIterable<readonly TaskEvent[]>): Promise<TaskEvent[]> {
  const events: TaskEvent[] = [];
  for await (const batch of batches) events.push(...batch);
  return events;
}

export const idsOf = ({ tasks }: { tasks: readonly Task[] }): string[] => tasks.map(({ id }) => id);

/** Creates a store with these tasks in one scope. */
export async function storeWith(make: MakeStore, tasks: readonly Task[]): Promise<TaskStore> {
  const store = await make(() => noon);
  for (const task of tasks) await store.create(scope, task);
  return store;
}

/** Returns all tasks, page by page. */
export async function walk(store: TaskStore, filter: TaskFilter, size: number): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list(scope, filter, size, cursor);
    pages.push(idsOf(page));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return pages;
}
