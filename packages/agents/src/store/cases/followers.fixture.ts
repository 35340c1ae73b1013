import { expect } from "vitest";
import { applyEvent, frozenCopy } from "../apply.ts";
import type { TaskEvent } from "../store.ts";
import {
  aTask,
  chunk,
  completed,
  followed,
  forever,
  lived,
  type StoreCase,
  scope,
  storeWith,
  wholeLife,
  working,
} from "./store-case.fixture.ts";

/** Test cases for followers of a task. */
export const followerCases: readonly StoreCase[] = [
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
];
