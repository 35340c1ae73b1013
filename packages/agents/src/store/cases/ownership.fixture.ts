import type { TaskState } from "@assay/protocol";
import { expect } from "vitest";
import { aTask, noon, type StoreCase, scope, status, storeWith } from "./store-case.fixture.ts";

/** Test cases for claiming, renewing and releasing a task. */
export const ownershipCases: readonly StoreCase[] = [
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
