import { expect, test } from "vitest";
import type { RunEvent } from "../report/events.ts";
import { smallHeap } from "./small-heap.ts";

const answered = (size: number) =>
  ({ event: "exchange", id: "x1", entry: { response: { content: { size } } } }) as unknown as RunEvent;

/** A heap of this many bytes, which notes what is done to it. */
function heapOf(bytes: number) {
  const heap = { bytes, done: [] as string[] };
  const listen = smallHeap({
    setFlag: (flag) => heap.done.push(flag),
    collect() {
      heap.done.push("collect");
      heap.bytes = 50e6;
    },
    used: () => heap.bytes,
  });
  return { heap, listen };
}

test("the heap stays small from the first long response on, and only then", () => {
  const { heap, listen } = heapOf(60e6);
  listen({ event: "note", text: "a note" });
  listen(answered(10_000));
  expect(heap.done).toEqual([]);
  listen(answered(524_000));
  listen(answered(524_000));
  expect(heap.done).toEqual(["--heap-growing-percent=30", "collect"]);
});

test("garbage is collected after a long response if memory has grown by 64 MB", () => {
  const { heap, listen } = heapOf(60e6);
  listen(answered(524_000));
  heap.done.length = 0;
  heap.bytes = 110e6;
  listen(answered(524_000));
  expect(heap.done).toEqual([]);
  heap.bytes = 120e6;
  listen(answered(10_000));
  expect(heap.done).toEqual([]);
  listen(answered(524_000));
  listen(answered(524_000));
  expect(heap.done).toEqual(["collect"]);
});

test("a program needs no option of Node to collect garbage", async () => {
  const dropped = new WeakRef({});
  // A WeakRef keeps its object until the current task ends.
  await new Promise(setImmediate);
  smallHeap({ setFlag() {} })(answered(524_000));
  expect(dropped.deref()).toBeUndefined();
});
