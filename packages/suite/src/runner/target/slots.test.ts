import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

/** Work that waits until it is told to go on, and how much of it runs at a time. */
function workshop(slots: Slots) {
  let running = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const start = (): Promise<void> =>
    slots.run(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
    });
  return { start, ends, running: () => running, most: () => most };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("no more than the places there are run at a time, and all get their turn", async () => {
  const { start, ends, most } = workshop(new Slots(2));
  const all = Promise.all([start(), start(), start(), start(), start()]);
  for (let done = 0; done < 5; done++) {
    await turn();
    ends.shift()!();
  }
  await all;
  expect(most()).toBe(2);
});

test("a place is given back by work that fails", async () => {
  const slots = new Slots(1);
  await expect(slots.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(slots.run(async () => "yes")).resolves.toBe("yes");
});

test("places that are taken away are gone once those inside have left", async () => {
  const slots = new Slots(2);
  const { start, ends, running } = workshop(slots);
  const first = [start(), start()];
  await turn();
  slots.resize(1);
  const later = [start(), start()];
  for (const end of ends.splice(0)) end();
  await Promise.all(first);
  await turn();
  expect(running()).toBe(1);
  ends.shift()!();
  await turn();
  expect(running()).toBe(1);
  ends.shift()!();
  await Promise.all(later);
});

test("places that are added are taken at once by those that wait", async () => {
  const slots = new Slots(1);
  const { start, ends, running } = workshop(slots);
  const all = [start(), start(), start()];
  await turn();
  expect(running()).toBe(1);
  slots.resize(2);
  await turn();
  expect(running()).toBe(2);
  for (let done = 0; done < 3; done++) {
    ends.shift()!();
    await turn();
  }
  await Promise.all(all);
});
