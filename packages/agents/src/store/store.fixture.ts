import type { Message, Task, TaskState } from "@assay/protocol";
import { BudgetExceeded } from "@assay/wire/server";
import fc from "fast-check";
import { expect } from "vitest";
import { applyEvent, frozenCopy } from "./apply.ts";
import { SequenceConflict, StoreFull, type TaskEvent, type TaskFilter, type TaskStore } from "./store.ts";

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
type FcValue<A> = A extends fc.Arbitrary<infer T> ? T : never;

const runsOn = ({ mostRuns = Number.POSITIVE_INFINITY }: MakeStore) => ({
  numRuns: Math.min(fc.readConfigureGlobal().numRuns ?? mostRuns, mostRuns),
});

const scope = "spec\n";
const noon = Date.parse("2026-11-15T12:00:00.000Z");
const iso = (time: number): string => new Date(time).toISOString();
const forever = new AbortController().signal;

const said = (messageId: string, text: string): Message => ({ messageId, role: "ROLE_USER", parts: [{ text }] });

function aTask(id: string, time = noon, contextId = "context"): Task {
  const status = { state: "TASK_STATE_SUBMITTED", timestamp: iso(time) } as const;
  return { id, contextId, status, history: [said(`first of ${id}`, "begin")] };
}

const status = (state: TaskState, time = noon): TaskEvent => ({
  is: "status",
  status: { state, timestamp: iso(time) },
});
const working = (time?: number) => status("TASK_STATE_WORKING", time);
const completed = (time?: number) => status("TASK_STATE_COMPLETED", time);

function chunk(text: string, append: boolean): TaskEvent {
  return { is: "artifact", artifact: { artifactId: "a", parts: [{ text }] }, append, lastChunk: false };
}

/** One event of each kind; the last ends the task. */
const wholeLife: readonly TaskEvent[] = [
  working(),
  { is: "status", status: { state: "TASK_STATE_WORKING", timestamp: iso(noon), message: said("m1", "still at it") } },
  chunk("one ", false),
  chunk("two", true),
  { is: "message", message: said("m2", "go on") },
  { is: "cancel-requested", metadata: { reason: "late" } },
  completed(),
];

const lived: Task = {
  ...aTask("t"),
  status: { state: "TASK_STATE_COMPLETED", timestamp: iso(noon) },
  history: [said("first of t", "begin"), said("m1", "still at it"), said("m2", "go on")],
  artifacts: [{ artifactId: "a", parts: [{ text: "one " }, { text: "two" }] }],
  metadata: { reason: "late" },
};

async function followed(batches: AsyncIterable<readonly TaskEvent[]>): Promise<TaskEvent[]> {
  const events: TaskEvent[] = [];
  for await (const batch of batches) events.push(...batch);
  return events;
}

const idsOf = ({ tasks }: { tasks: readonly Task[] }): string[] => tasks.map(({ id }) => id);

/** Creates a store with these tasks in one scope. */
async function storeWith(make: MakeStore, tasks: readonly Task[]): Promise<TaskStore> {
  const store = await make(() => noon);
  for (const task of tasks) await store.create(scope, task);
  return store;
}

/** Returns all tasks, page by page. */
async function walk(store: TaskStore, filter: TaskFilter, size: number): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list(scope, filter, size, cursor);
    pages.push(idsOf(page));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return pages;
}

/** Test cases for every store. */
export const storeCases: readonly StoreCase[] = [
  {
    title: "a task that was created is there, at sequence number 1",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      expect(await store.snapshot(scope, "t")).toMatchObject({ task: aTask("t"), seq: 1 });
    },
  },
  {
    title: "a task that was never created is not there",
    async run(make) {
      const store = await make(() => noon);
      expect(await store.snapshot(scope, "t")).toBeUndefined();
    },
  },
  {
    title: "an id is given once in its scope: creating it again changes nothing",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      await expect(store.create(scope, aTask("t", noon + 1))).rejects.toThrow(SequenceConflict);
      expect((await store.snapshot(scope, "t"))?.task).toEqual(aTask("t"));
    },
  },
  {
    title: "the same id in two scopes is two tasks, and removing one leaves the other",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      await store.create("other", aTask("t", noon + 1));
      expect((await store.snapshot("other", "t"))?.task).toEqual(aTask("t", noon + 1));
      await store.remove("other", "t");
      expect(await store.snapshot("other", "t")).toBeUndefined();
      expect((await store.list("other", {}, 10)).total).toBe(0);
      expect((await store.snapshot(scope, "t"))?.task).toEqual(aTask("t"));
    },
  },
  {
    title: "what the creator does to its task afterwards does not reach the store",
    async run(make) {
      const task = aTask("t");
      const store = await storeWith(make, [task]);
      task.history!.push(said("sneaked in", "x"));
      expect((await store.snapshot(scope, "t"))?.task).toEqual(aTask("t"));
    },
  },
  {
    title: "the snapshot is what the events make of the task, and the number of events is its sequence number",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      let seq = 1;
      for (const event of wholeLife) seq = await store.append(scope, "t", seq, [event]);
      expect(seq).toBe(8);
      expect(await store.snapshot(scope, "t")).toMatchObject({ task: lived, seq: 8 });
    },
  },
  {
    title: "events appended together are the same as events appended one by one",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      expect(await store.append(scope, "t", 1, wholeLife)).toBe(8);
      expect(await store.snapshot(scope, "t")).toMatchObject({ task: lived, seq: 8 });
    },
  },
  {
    title: "an append behind a sequence number that has passed, or has not come yet, is refused",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      await store.append(scope, "t", 1, [working()]);
      for (const wrong of [0, 1, 3]) {
        await expect(store.append(scope, "t", wrong, [completed()]), `seq ${wrong}`).rejects.toThrow(SequenceConflict);
      }
      expect(await store.snapshot(scope, "t")).toMatchObject({
        task: { status: { state: "TASK_STATE_WORKING" } },
        seq: 2,
      });
    },
  },
  {
    title: "of two who append behind the same number, one wins",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      const both = await Promise.allSettled([
        store.append(scope, "t", 1, [chunk("mine", false)]),
        store.append(scope, "t", 1, [chunk("yours", false)]),
      ]);
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect((await store.snapshot(scope, "t"))?.seq).toBe(2);
    },
  },
  {
    title: "nothing is appended to a task that has ended",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      await store.append(scope, "t", 1, [completed()]);
      await expect(store.append(scope, "t", 2, [working()])).rejects.toThrow(SequenceConflict);
      await expect(store.append(scope, "t", 2, [working()])).rejects.toThrow("task t is at its end, not at 2");
      expect(await store.snapshot(scope, "t")).toMatchObject({
        task: { status: { state: "TASK_STATE_COMPLETED" } },
        seq: 2,
      });
    },
  },
  {
    title: "from another scope a task cannot be read, listed, changed, followed or claimed",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      expect(await store.snapshot("other", "t")).toBeUndefined();
      expect(await store.list("other", {}, 10)).toEqual({ tasks: [], total: 0 });
      await expect(store.append("other", "t", 1, [completed()])).rejects.toThrow(SequenceConflict);
      expect(await followed(store.follow("other", "t", 0, forever))).toEqual([]);
      expect(await store.claim("other", "t", "somebody", noon + 1_000)).toBe(false);
      expect(await store.snapshot(scope, "t")).toMatchObject({ task: aTask("t"), seq: 1 });
    },
  },
  {
    title: "followers from any sequence number see the same events in the same order",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      const early = [0, 1, 2, 5, 8].map((seq) => followed(store.follow(scope, "t", seq, forever)));
      await store.append(scope, "t", 1, wholeLife.slice(0, 3));
      const late = [0, 1, 2, 5, 8].map((seq) => followed(store.follow(scope, "t", seq, forever)));
      await store.append(scope, "t", 4, wholeLife.slice(3, 4));
      await store.append(scope, "t", 5, wholeLife.slice(4));
      const log: TaskEvent[] = [{ is: "created", task: aTask("t") }, ...wholeLife];
      const expected = [0, 1, 2, 5, 8].map((seq) => log.slice(seq));
      expect(await Promise.all(early)).toEqual(expected);
      expect(await Promise.all(late)).toEqual(expected);
    },
  },
  {
    title: "what the log says of the creation stays as it was, however far the task has gone",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      await store.append(scope, "t", 1, wholeLife.slice(0, 5));
      const first = await store.follow(scope, "t", 0, forever).next();
      expect(first.value?.[0]).toEqual({ is: "created", task: aTask("t") });
    },
  },
  {
    title: "a snapshot and the events behind its number make the final task",
    async run(make) {
      for (let at = 1; at <= wholeLife.length; at++) {
        const store = await storeWith(make, [aTask("t")]);
        if (at > 1) await store.append(scope, "t", 1, wholeLife.slice(0, at - 1));
        const found = (await store.snapshot(scope, "t"))!;
        const task = frozenCopy(found.task);
        const rest = followed(store.follow(scope, "t", found.seq, forever));
        await store.append(scope, "t", at, wholeLife.slice(at - 1));
        for (const event of await rest) applyEvent(task, event);
        expect(task, `from ${at}`).toEqual(lived);
      }
    },
  },
  {
    title: "a follower that reads slowly loses nothing, though the task has ended long before",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      const slow = store.follow(scope, "t", 1, forever);
      await store.append(scope, "t", 1, [working()]);
      const first = await slow.next();
      await store.append(scope, "t", 2, [chunk("one", false)]);
      await store.append(scope, "t", 3, [completed()]);
      expect([first.value, ...(await followed(slow))].flat()).toEqual([working(), chunk("one", false), completed()]);
    },
  },
  {
    title: "a follower has its place from the call on, even when it begins to read after the end",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      const late = store.follow(scope, "t", 1, forever);
      await store.append(scope, "t", 1, [working(), completed()]);
      expect(await followed(late)).toEqual([working(), completed()]);
    },
  },
  {
    title: "a follower that waits is let go when it is aborted, and the task goes on",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      const leaving = new AbortController();
      const follower = store.follow(scope, "t", 1, leaving.signal);
      const staying = followed(store.follow(scope, "t", 1, forever));
      await store.append(scope, "t", 1, [working()]);
      expect((await follower.next()).value).toEqual([working()]);
      const waiting = follower.next();
      leaving.abort();
      expect(await waiting).toEqual({ done: true, value: undefined });
      await store.append(scope, "t", 2, [completed()]);
      expect(await staying).toEqual([working(), completed()]);
    },
  },
  {
    title: "a follower that was aborted before it began sees nothing",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      expect(await followed(store.follow(scope, "t", 0, AbortSignal.abort()))).toEqual([]);
    },
  },
  {
    title: "an empty scope lists nothing",
    async run(make) {
      const store = await make(() => noon);
      expect(await store.list(scope, {}, 10)).toEqual({ tasks: [], total: 0 });
    },
  },
  {
    title: "the latest status comes first, whenever the task was created or its other events came",
    async run(make) {
      const store = await storeWith(make, [aTask("a", noon), aTask("b", noon + 1), aTask("c", noon + 2)]);
      expect(idsOf(await store.list(scope, {}, 10))).toEqual(["c", "b", "a"]);
      await store.append(scope, "a", 1, [working(noon + 3)]);
      await store.append(scope, "b", 1, [chunk("x", false), { is: "message", message: said("m", "x") }]);
      expect(idsOf(await store.list(scope, {}, 10))).toEqual(["a", "c", "b"]);
    },
  },
  {
    title: "a status that arrives late is listed where its time belongs, not where it arrived",
    async run(make) {
      const store = await storeWith(make, [aTask("a", noon + 5), aTask("b", noon + 3), aTask("c", noon + 4)]);
      expect(await walk(store, {}, 1)).toEqual([["a"], ["c"], ["b"]]);
      await store.append(scope, "a", 1, [working(noon + 2)]);
      expect(await walk(store, {}, 1)).toEqual([["c"], ["b"], ["a"]]);
    },
  },
  {
    title: "pages have the size that was asked for, the last one what is left, and only it has no cursor",
    async run(make) {
      const tasks = Array.from({ length: 7 }, (_, index) => aTask(`t${index}`, noon + index));
      const store = await storeWith(make, tasks);
      expect(await walk(store, {}, 3)).toEqual([["t6", "t5", "t4"], ["t3", "t2", "t1"], ["t0"]]);
      expect(await walk(store, {}, 7)).toEqual([["t6", "t5", "t4", "t3", "t2", "t1", "t0"]]);
      expect(await walk(store, {}, 1)).toEqual([["t6"], ["t5"], ["t4"], ["t3"], ["t2"], ["t1"], ["t0"]]);
    },
  },
  {
    title: "the total counts all tasks that match, on every page",
    async run(make) {
      const store = await storeWith(make, [aTask("a"), aTask("b"), aTask("c", noon, "elsewhere")]);
      const first = await store.list(scope, {}, 2);
      expect([first.total, (await store.list(scope, {}, 2, first.cursor)).total]).toEqual([3, 3]);
      const filtered = await store.list(scope, { contextId: "context" }, 1);
      const second = await store.list(scope, { contextId: "context" }, 1, filtered.cursor);
      expect([filtered.total, second.total]).toEqual([2, 2]);
    },
  },
  {
    title: "filters, alone and together, keep exactly the tasks that match, newest first",
    async run(make) {
      const anyTask = fc.record({
        context: fc.constantFrom("red", "blue"),
        state: fc.constantFrom<TaskState>("TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED"),
        offset: fc.integer({ min: 0, max: 6 }),
      });
      const anyFilter = fc.record(
        {
          contextId: fc.constantFrom("red", "blue", "unheard of"),
          state: fc.constantFrom<TaskState>("TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED"),
          since: fc.integer({ min: -1, max: 8 }).map((offset) => noon + offset),
        },
        { requiredKeys: [] },
      );
      const holds = async (
        given: { context: string; state: TaskState; offset: number }[],
        filter: TaskFilter,
        size: number,
      ) => {
        const tasks = given.map(({ context, state, offset }, index) => ({
          ...aTask(`t${index}`, noon + offset, context),
          status: { state, timestamp: iso(noon + offset) },
        }));
        const store = await storeWith(make, tasks);
        const wanted = tasks.filter(
          ({ contextId, status: { state, timestamp } }) =>
            (filter.contextId === undefined || filter.contextId === contextId) &&
            (filter.state === undefined || filter.state === state) &&
            (filter.since === undefined || Date.parse(timestamp) >= filter.since),
        );
        const pages = await walk(store, filter, size);
        const times = pages.flat().map((id) => tasks.find((task) => task.id === id)!.status.timestamp);
        expect(pages.flat().toSorted()).toEqual(idsOf({ tasks: wanted }).toSorted());
        expect(times).toEqual(times.toSorted().reverse());
        expect(pages.slice(0, -1).every((page) => page.length === size)).toBe(true);
        expect((await store.list(scope, filter, size)).total).toBe(wanted.length);
      };
      await fc.assert(
        fc.asyncProperty(fc.array(anyTask, { maxLength: 12 }), anyFilter, fc.integer({ min: 1, max: 5 }), holds),
        runsOn(make),
      );
    },
  },
  {
    title: "totals of filters follow tasks that are created, change and go",
    async run(make) {
      const states: readonly TaskState[] = ["TASK_STATE_WORKING", "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_COMPLETED"];
      const contexts = ["red", "blue"];
      const hour = 3_600_000;
      // From milliseconds to weeks before noon: stores may count by time spans.
      const anyTime = fc
        .oneof(fc.nat(20), fc.nat(20_000), fc.nat(20 * hour), fc.nat(500 * hour))
        .map((before) => noon - before);
      const change = fc.record({
        which: fc.nat(7),
        state: fc.constantFrom(...states, "remove" as const),
        context: fc.constantFrom(...contexts),
        time: anyTime,
      });
      const holds = async (changes: readonly FcValue<typeof change>[], since: number) => {
        const store = await make(() => noon);
        const kept = new Map<string, Task>();
        for (const { which, state, context, time } of changes) {
          const id = `t${which}`;
          const known = await store.snapshot(scope, id);
          if (state === "remove") {
            if (known) await store.remove(scope, id);
            kept.delete(id);
          } else if (!known || known.task.status.state === "TASK_STATE_COMPLETED") {
            const task = { ...aTask(id, time, context), status: { state, timestamp: iso(time) } };
            await store.replace(scope, task);
            kept.set(id, task);
          } else {
            await store.append(scope, id, known.seq, [status(state, time)]);
            kept.set(id, { ...kept.get(id)!, status: { state, timestamp: iso(time) } });
          }
        }
        for (const contextId of [undefined, ...contexts])
          for (const state of [undefined, ...states])
            for (const from of [undefined, since, 0]) {
              const matching = [...kept.values()].filter(
                ({ contextId: context, status }) =>
                  (contextId === undefined || context === contextId) &&
                  (state === undefined || status.state === state) &&
                  Date.parse(status.timestamp!) >= (from ?? 0),
              );
              const filter: TaskFilter = {
                ...(contextId !== undefined && { contextId }),
                ...(state !== undefined && { state }),
                ...(from !== undefined && { since: from }),
              };
              expect((await store.list(scope, filter, 1)).total, JSON.stringify(filter)).toBe(matching.length);
            }
      };
      await fc.assert(fc.asyncProperty(fc.array(change, { maxLength: 25 }), anyTime, holds), runsOn(make));
    },
  },
  {
    title: "a walk shows every task exactly once, whatever is created and updated between its pages",
    async run(make) {
      const change = fc.oneof(
        {
          weight: 1,
          arbitrary: fc.record({ is: fc.constant("create" as const), skew: fc.integer({ min: -3, max: 3 }) }),
        },
        {
          weight: 3,
          arbitrary: fc.record({
            is: fc.constant("update" as const),
            which: fc.nat(),
            ends: fc.boolean(),
            skew: fc.integer({ min: -3, max: 3 }),
          }),
        },
        { weight: 2, arbitrary: fc.constant({ is: "page" as const }) },
      );
      const holds = async (before: number, size: number, changes: FcValue<typeof change>[]) => {
        const store = await make(() => noon);
        const open: string[] = [];
        let count = 0;
        let time = noon;
        const create = async (skew: number) => {
          const id = `t${count++}`;
          await store.create(scope, aTask(id, time + skew));
          open.push(id);
        };
        const update = async (which: number, ends: boolean, skew: number) => {
          const id = open[which % open.length];
          if (id === undefined) return;
          const { seq } = (await store.snapshot(scope, id))!;
          await store.append(scope, id, seq, [ends ? completed(time + skew) : working(time + skew)]);
          if (ends) open.splice(open.indexOf(id), 1);
        };
        for (let n = 0; n < before; n++) await create(n % 4);

        const there = Array.from({ length: before }, (_, n) => `t${n}`);
        const shown: string[] = [];
        let page = await store.list(scope, {}, size);
        shown.push(...idsOf(page));
        for (const [index, each] of changes.entries()) {
          time += index % 3;
          if (each.is === "create") await create(each.skew);
          else if (each.is === "update") await update(each.which, each.ends, each.skew);
          else if (page.cursor !== undefined) {
            page = await store.list(scope, {}, size, page.cursor);
            shown.push(...idsOf(page));
          }
        }
        while (page.cursor !== undefined) {
          page = await store.list(scope, {}, size, page.cursor);
          shown.push(...idsOf(page));
        }
        expect(shown.toSorted()).toEqual(there.toSorted());
      };
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 0, max: 12 }),
          fc.integer({ min: 1, max: 4 }),
          fc.array(change, { maxLength: 40 }),
          holds,
        ),
        runsOn(make),
      );
    },
  },
  {
    title: "a task that moved during a walk is shown as it is now",
    async run(make) {
      const store = await storeWith(make, [aTask("a", noon), aTask("b", noon + 1)]);
      const { cursor } = await store.list(scope, {}, 1);
      await store.append(scope, "a", 1, [completed(noon + 5)]);
      const { tasks } = await store.list(scope, {}, 1, cursor);
      expect(tasks).toEqual([{ ...aTask("a"), status: { state: "TASK_STATE_COMPLETED", timestamp: iso(noon + 5) } }]);
    },
  },
  {
    title: "a task has one owner at a time, until it is released or its lease is over",
    async run(make) {
      let time = noon;
      const store = await make(() => time);
      await store.create(scope, aTask("t"));
      const claims = async () => [
        await store.claim(scope, "t", "mine", time + 1_000),
        await store.claim(scope, "t", "yours", time + 1_000),
      ];
      expect(await claims()).toEqual([true, false]);
      time += 999;
      expect(await store.claim(scope, "t", "yours", time + 1_000)).toBe(false);
      time += 1;
      expect(await store.claim(scope, "t", "yours", time + 1_000)).toBe(true);
      expect(await store.claim(scope, "t", "mine", time + 1_000)).toBe(false);
      await store.release(scope, "t", "yours");
      expect(await claims()).toEqual([true, false]);
    },
  },
  {
    title: "an owner may extend its own lease",
    async run(make) {
      let time = noon;
      const store = await make(() => time);
      await store.create(scope, aTask("t"));
      await store.claim(scope, "t", "mine", noon + 1_000);
      await store.renew(scope, "t", "yours", noon + 500);
      await store.renew(scope, "t", "mine", noon + 5_000);
      time = noon + 4_000;
      expect(await store.claim(scope, "t", "yours", noon + 9_000)).toBe(false);
    },
  },
  {
    title: "an interrupted task has no owner, and its former owner cannot renew the lease",
    async run(make) {
      const store = await make(() => noon);
      await store.create(scope, aTask("t"));
      const says = (seq: number, state: TaskState) => store.append(scope, "t", seq, [status(state)]);
      await store.claim(scope, "t", "mine", noon + 1_000);
      await says(1, "TASK_STATE_WORKING");
      expect(await store.claim(scope, "t", "yours", noon + 1_000)).toBe(false);
      await says(2, "TASK_STATE_INPUT_REQUIRED");
      await store.renew(scope, "t", "mine", noon + 1_000);
      expect(await store.claim(scope, "t", "yours", noon + 1_000)).toBe(true);
      await says(3, "TASK_STATE_AUTH_REQUIRED");
      expect(await store.claim(scope, "t", "theirs", noon + 1_000)).toBe(true);
    },
  },
  {
    title: "only the owner can release a task, and only from its scope",
    async run(make) {
      const store = await storeWith(make, [aTask("t")]);
      await store.claim(scope, "t", "mine", noon + 1_000);
      await store.release(scope, "t", "yours");
      await store.release("other", "t", "mine");
      expect(await store.claim(scope, "t", "yours", noon + 1_000)).toBe(false);
    },
  },
  {
    title: "a task that does not exist cannot be claimed, and releasing it does no harm",
    async run(make) {
      const store = await make(() => noon);
      expect(await store.claim(scope, "t", "mine", noon + 1_000)).toBe(false);
      await expect(store.release(scope, "t", "mine")).resolves.toBeUndefined();
    },
  },
];

/** A text that leaves no room for a task in the 14,000 bytes of the cases below. */
const filling = "x".repeat(10_000);

/** Test cases for a store with limited space. */
export const boundedStoreCases: readonly StoreCase[] = [
  {
    title: "a full store forgets the task that ended first",
    async run(make) {
      const store = await make(() => noon, { tasks: 3 });
      for (const id of ["a", "b", "c"]) await store.create(scope, aTask(id));
      await store.append(scope, "b", 1, [completed()]);
      await store.append(scope, "a", 1, [completed()]);
      await store.create(scope, aTask("d"));
      expect(idsOf(await store.list(scope, {}, 10)).toSorted()).toEqual(["a", "c", "d"]);
      await store.create(scope, aTask("e"));
      expect(idsOf(await store.list(scope, {}, 10)).toSorted()).toEqual(["c", "d", "e"]);
      expect([await store.snapshot(scope, "a"), (await store.list(scope, {}, 1)).total]).toEqual([undefined, 3]);
    },
  },
  {
    title: "a full store never forgets a task that is open, and says that it is full",
    async run(make) {
      const store = await make(() => noon, { tasks: 2 });
      await store.create(scope, aTask("a"));
      await store.create("other", aTask("b"));
      await expect(store.create(scope, aTask("c"))).rejects.toThrow(StoreFull);
      expect(idsOf(await store.list(scope, {}, 10))).toEqual(["a"]);
      await store.append("other", "b", 1, [completed()]);
      await store.create(scope, aTask("c"));
      expect(idsOf(await store.list(scope, {}, 10)).toSorted()).toEqual(["a", "c"]);
    },
  },
  {
    title: "a follower keeps what it has not read yet of a task that was forgotten",
    async run(make) {
      const store = await make(() => noon, { tasks: 1 });
      await store.create(scope, aTask("a"));
      const follower = store.follow(scope, "a", 1, forever);
      await store.append(scope, "a", 1, [working(), completed()]);
      await store.create(scope, aTask("b"));
      expect(await followed(follower)).toEqual([working(), completed()]);
    },
  },
  {
    title: "a walk goes on when tasks before it, behind it and under it were forgotten",
    async run(make) {
      const store = await make(() => noon, { tasks: 5 });
      for (const [index, id] of ["a", "b", "c", "d", "e"].entries()) await store.create(scope, aTask(id, noon + index));
      const first = await store.list(scope, {}, 2);
      for (const id of ["e", "d", "b"]) await store.append(scope, id, 1, [completed(noon + 9)]);
      for (const id of ["x", "y", "z"]) await store.create(scope, aTask(id, noon + 10));
      const second = await store.list(scope, {}, 2, first.cursor);
      expect([idsOf(first), idsOf(second), second.cursor]).toEqual([["e", "d"], ["c", "a"], undefined]);
    },
  },
  {
    title: "a store that is full by size forgets ended tasks, too, and refuses when none is left",
    async run(make) {
      const store = await make(() => noon, { bytes: 14_000 });
      await store.create(scope, aTask("a"));
      await store.append(scope, "a", 1, [chunk(filling, false)]);
      await expect(store.create(scope, aTask("b"))).rejects.toThrow(BudgetExceeded);
      await store.append(scope, "a", 2, [completed()]);
      await store.create(scope, aTask("b"));
      expect(idsOf(await store.list(scope, {}, 10))).toEqual(["b"]);
    },
  },
  {
    title: "an open task cannot grow in a store that is full, but it can end",
    async run(make) {
      const store = await make(() => noon, { bytes: 14_000 });
      const more = "x".repeat(4_000);
      await store.create(scope, aTask("a"));
      await store.append(scope, "a", 1, [chunk(filling, false)]);
      await expect(store.append(scope, "a", 2, [chunk(more, true)])).rejects.toThrow(BudgetExceeded);
      await expect(store.append(scope, "a", 2, [{ is: "message", message: said("m", more) }])).rejects.toThrow(
        BudgetExceeded,
      );
      expect(await store.append(scope, "a", 2, [working(), { is: "cancel-requested" }, completed()])).toBe(5);
    },
  },
  {
    title: "an open task grows on into the room of those that ended",
    async run(make) {
      const store = await make(() => noon, { bytes: 16_000 });
      await store.create(scope, aTask("a"));
      await store.create(scope, aTask("b"));
      await store.append(scope, "a", 1, [chunk(filling, false), completed()]);
      expect(await store.append(scope, "b", 1, [chunk("x".repeat(4_000), false)])).toBe(2);
      expect(idsOf(await store.list(scope, {}, 10))).toEqual(["b"]);
    },
  },
  {
    title: "whatever a client can make long counts",
    async run(make) {
      const message = said("m", "");
      const long: Record<string, Task> = {
        "text of a part": { ...aTask("t"), history: [said("m", filling)] },
        "raw of a part": { ...aTask("t"), history: [{ ...message, parts: [{ raw: filling }] }] },
        "url of a part": { ...aTask("t"), history: [{ ...message, parts: [{ url: filling }] }] },
        "data of a part": { ...aTask("t"), history: [{ ...message, parts: [{ data: { filling } }] }] },
        "metadata of a part": {
          ...aTask("t"),
          history: [{ ...message, parts: [{ text: "", metadata: { filling } }] }],
        },
        "file name of a part": { ...aTask("t"), history: [{ ...message, parts: [{ raw: "", filename: filling }] }] },
        "media type of a part": { ...aTask("t"), history: [{ ...message, parts: [{ raw: "", mediaType: filling }] }] },
        "id of a message": { ...aTask("t"), history: [said(filling, "")] },
        "context of a message": { ...aTask("t"), history: [{ ...message, contextId: filling }] },
        "metadata of a message": { ...aTask("t"), history: [{ ...message, metadata: { filling } }] },
        "extensions of a message": { ...aTask("t"), history: [{ ...message, extensions: [filling] }] },
        "references of a message": { ...aTask("t"), history: [{ ...message, referenceTaskIds: [filling] }] },
        "metadata of a task": { ...aTask("t"), metadata: { filling } },
      };
      for (const [what, task] of Object.entries(long)) {
        const store = await make(() => noon, { bytes: 14_000 });
        await store.create(scope, task);
        await expect(store.create(scope, aTask("next")), what).rejects.toThrow(BudgetExceeded);
      }
      const store = await make(() => noon, { bytes: 14_000 });
      await store.create(scope, aTask("t"));
      await store.create(scope, aTask("next"));
    },
  },
];
