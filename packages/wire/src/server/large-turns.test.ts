import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { LargeTurns, largeBytes } from "./large-turns.ts";

test("small requests do not wait", () => {
  const turns = new LargeTurns();
  const gone: string[] = [];
  turns.enter("a", 1_000_000, () => gone.push("large"));
  turns.enter("a", 1_000_000, () => gone.push("another"));
  turns.enter("a", largeBytes, () => gone.push("small"));
  expect(gone).toEqual(["large", "small"]);
});

test("large requests have their turns one after the other, a caller after the other", async () => {
  const turns = new LargeTurns();
  const gone: string[] = [];
  for (const name of ["a1", "a2", "a3", "b1", "c1"]) turns.enter(name[0]!, 1_000_000, () => gone.push(name));
  expect(gone).toEqual(["a1"]);
  await expect.poll(() => gone).toEqual(["a1", "a2", "b1", "c1", "a3"]);
});

test("what has given up has no turn, and is not kept", async () => {
  const turns = new LargeTurns();
  const gone: string[] = [];
  turns.enter("a", 1_000_000, () => gone.push("a1"));
  const leave = turns.enter("a", 1_000_000, () => gone.push("a2"));
  turns.enter("a", 1_000_000, () => gone.push("a3"));
  leave();
  await expect.poll(() => gone).toEqual(["a1", "a3"]);
  turns.enter("b", 1_000_000, () => gone.push("b1"));
  await expect.poll(() => gone).toEqual(["a1", "a3", "b1"]);
});

test("while small requests come, they have the server for themselves for a while behind each large one", async () => {
  const turns = new LargeTurns();
  const gone: string[] = [];
  const work = (name: string) => () => {
    const until = performance.now() + 20;
    while (performance.now() < until);
    gone.push(name);
  };
  turns.small();
  for (const name of ["first", "second", "third"]) turns.enter("a", 1_000_000, work(name));
  await pause(0);
  // The first has taken its time, and the second rests; no small one came since, so the third follows it at once.
  expect(gone).toEqual(["first"]);
  await expect.poll(() => gone).toEqual(["first", "second", "third"]);
});
