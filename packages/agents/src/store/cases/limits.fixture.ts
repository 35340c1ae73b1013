import type { Task } from "@assay/protocol";
import { BudgetExceeded } from "@assay/wire/server";
import { expect } from "vitest";
import { StoreFull } from "../store.ts";
import {
  aTask,
  chunk,
  completed,
  followed,
  forever,
  idsOf,
  noon,
  type StoreCase,
  said,
  scope,
  working,
} from "./store-case.fixture.ts";

/** A text that leaves no room for a task in the 14,000 bytes of the cases below. */
const filling = "x".repeat(10_000);

/** Test cases for a store with limited space. */
export const limitCases: readonly StoreCase[] = [
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
