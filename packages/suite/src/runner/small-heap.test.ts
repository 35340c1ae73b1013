import { expect, test } from "vitest";
import type { RunEvent } from "../report/events.ts";
import { smallHeap } from "./small-heap.ts";

const answered = (size: number) =>
  ({ event: "exchange", id: "x1", entry: { response: { content: { size } } } }) as unknown as RunEvent;

test("the heap stays small from the first long response on, and only then", () => {
  const flags: string[] = [];
  const take = smallHeap((flag) => flags.push(flag));
  take({ event: "note", text: "a note" });
  take(answered(10_000));
  expect(flags).toEqual([]);
  take(answered(524_000));
  take(answered(524_000));
  expect(flags).toEqual(["--heap-growing-percent=30"]);
});
