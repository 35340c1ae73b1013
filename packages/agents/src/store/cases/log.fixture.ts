import { expect } from "vitest";
import { SequenceConflict } from "../store.ts";
import {
  aTask,
  chunk,
  completed,
  followed,
  forever,
  lived,
  noon,
  type StoreCase,
  said,
  scope,
  storeWith,
  wholeLife,
  working,
} from "./store-case.fixture.ts";

/** Test cases for creating tasks, appending events and keeping scopes apart. */
export const logCases: readonly StoreCase[] = [
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
];
