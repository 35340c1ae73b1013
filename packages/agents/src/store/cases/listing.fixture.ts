import type { Task, TaskState } from "@assay/protocol";
import fc from "fast-check";
import { expect } from "vitest";
import type { TaskFilter } from "../store.ts";
import {
  aTask,
  chunk,
  completed,
  type FcValue,
  idsOf,
  iso,
  noon,
  runsOn,
  type StoreCase,
  said,
  scope,
  status,
  storeWith,
  walk,
  working,
} from "./store-case.fixture.ts";

/** Test cases for lists, filters, totals and pages. */
export const listingCases: readonly StoreCase[] = [
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
];
