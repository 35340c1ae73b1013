import { expect, test } from "vitest";
import { Turns } from "./postgres.ts";

test("at most this many run at a time, and the others wait in order", async () => {
  const turns = new Turns(2);
  const begun: number[] = [];
  for (let number = 1; number <= 4; number++) void turns.take().then(() => begun.push(number));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  await settle();
  expect(begun).toEqual([1, 2]);
  turns.give();
  await settle();
  expect(begun).toEqual([1, 2, 3]);
  turns.give();
  turns.give();
  turns.give();
  await turns.take();
  await settle();
  expect(begun).toEqual([1, 2, 3, 4]);
});
