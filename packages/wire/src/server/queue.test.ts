import fc from "fast-check";
import { expect, test } from "vitest";
import { Queue, type Queued } from "./queue.ts";

interface Item extends Queued<Item> {
  readonly name: number;
}

test("it holds what a Set would hold, in the order in which it came", () => {
  const step = fc.record({ is: fc.constantFrom("add", "delete", "shift"), name: fc.nat({ max: 5 }) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const queue = new Queue<Item>();
      const items = Array.from({ length: 6 }, (_, name): Item => ({ name, ahead: undefined, behind: undefined }));
      const set = new Set<Item>();
      for (const { is, name } of steps) {
        const item = is === "shift" ? set.values().next().value : items[name]!;
        if (!item) continue;
        expect(queue.has(item)).toBe(set.has(item));
        if (is !== "add") {
          queue.delete(item);
          set.delete(item);
        } else if (!set.has(item)) {
          queue.add(item);
          set.add(item);
        }
        expect([queue.first, queue.size, ...queue]).toEqual([set.values().next().value, set.size, ...set]);
      }
    }),
  );
});

test("its reader may delete the entry that it just got", () => {
  const queue = new Queue<Item>();
  for (let name = 0; name < 3; name++) queue.add({ name, ahead: undefined, behind: undefined });
  const read: number[] = [];
  for (const item of queue) {
    read.push(item.name);
    queue.delete(item);
  }
  expect([read, queue.size]).toEqual([[0, 1, 2], 0]);
});
