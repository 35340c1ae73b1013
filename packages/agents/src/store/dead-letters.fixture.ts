import { expect } from "vitest";
import { type DeadLetter, type DeadLetterRoom, type DeadLetters, deadLetter } from "./dead-letter.ts";

type MakeLetters = (room: DeadLetterRoom) => DeadLetters;

const noon = Date.parse("2026-11-16T12:00:00.000Z");
let made = 0;
/** Every second letter has the same time as the one before. */
const letterOf = (taskId: string, body = "{}"): DeadLetter =>
  deadLetter(
    { id: "c", taskId, url: "https://hook.test/x" },
    body,
    { reason: "failed", attempts: 5 },
    noon + Math.floor(made++ / 2),
  );
const tasksOf = async (letters: DeadLetters, scope: string): Promise<string[]> =>
  (await letters.list(scope)).map(({ taskId }) => taskId);

/** Test cases for every store of undelivered notifications. Each uses new accounts and scopes. */
export const deadLetterCases: readonly { title: string; run(make: MakeLetters): Promise<void> }[] = [
  {
    title: "those of a caller are listed to that caller, the latest first, and can be forgotten",
    async run(make) {
      const letters = make({ caller: 10, total: 100 });
      const kept = [letterOf("a"), letterOf("b", '{"task":{"id":"b"}}'), letterOf("c")];
      for (const letter of kept) letters.add({ scope: "full\n\nalice", account: "caller alice" }, letter);
      letters.add({ scope: "full\n\nbob", account: "caller bob" }, letterOf("of bob"));
      expect(await letters.list("full\n\nalice")).toEqual(kept.toReversed());
      expect(await letters.list("full\n\nalice", "b")).toEqual([kept[1]]);
      expect(await tasksOf(letters, "full\n\nnobody")).toEqual([]);
      await letters.clear("full\n\nalice");
      expect([await tasksOf(letters, "full\n\nalice"), await tasksOf(letters, "full\n\nbob")]).toEqual([
        [],
        ["of bob"],
      ]);
    },
  },
  {
    title: "a caller that has many pushes out its own, and no other's",
    async run(make) {
      const letters = make({ caller: 3, total: 100 });
      letters.add({ scope: "many\n\n", account: "192.0.2.1" }, letterOf("first"));
      for (const id of ["a", "b", "c", "d", "e"])
        letters.add({ scope: "many\n\n", account: "192.0.2.2" }, letterOf(id));
      letters.add({ scope: "many\n\n", account: "192.0.2.1" }, letterOf("last"));
      // Shows as many as one caller may have: the latest of all.
      expect(await tasksOf(letters, "many\n\n")).toEqual(["last", "e", "d"]);
      expect(await letters.list("many\n\n", "first")).toHaveLength(1);
      expect(await letters.list("many\n\n", "b")).toEqual([]);
    },
  },
  {
    title: "there are no more than so many of all callers together",
    async run(make) {
      const letters = make({ caller: 3, total: 3 });
      for (const id of ["a", "b", "c", "d"]) letters.add({ scope: "all\n\n", account: `caller ${id}` }, letterOf(id));
      expect(await tasksOf(letters, "all\n\n")).toEqual(["d", "c", "b"]);
    },
  },
];
