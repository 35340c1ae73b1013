import { Ledger } from "@assay/wire/server";
import { expect, test } from "vitest";
import { deadLetter, defaultLetterRoom } from "./dead-letter.ts";
import { deadLetterCases } from "./dead-letters.fixture.ts";
import { MemoryDeadLetters } from "./memory-dead-letters.ts";

test.each(deadLetterCases.map(({ title, run }) => [title, run] as const))("%s", (_title, run) =>
  run((room) => new MemoryDeadLetters(new Ledger(), room)),
);

test("they take room on their caller's account, make room for each other, and give it back", async () => {
  const ledger = new Ledger({ caller: 5_000, total: 100_000 });
  const letters = new MemoryDeadLetters(ledger, defaultLetterRoom);
  const trouble = { reason: "failed", attempts: 5 } as const;
  for (const taskId of ["a", "b", "c"]) {
    const letter = deadLetter({ id: "c", taskId, url: "https://hook.test/" }, "x".repeat(500), trouble, 0);
    letters.add({ scope: "s", account: "here" }, letter);
  }
  const kept = await letters.list("s");
  expect([kept.map(({ taskId }) => taskId), ledger.of("here")]).toEqual([["c", "b"], 4_000]);
  const huge = deadLetter({ id: "c", taskId: "d", url: "https://hook.test/" }, "x".repeat(5_000), trouble, 0);
  letters.add({ scope: "s", account: "here" }, huge);
  expect(await letters.list("s", "d")).toEqual([]);
  await letters.clear("s");
  expect(ledger.total).toBe(0);
});
