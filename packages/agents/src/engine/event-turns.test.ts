import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import { EventTurns } from "./event-turns.ts";

const turnsOfTheLoop = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await turnOfTheLoop();
};

const sumOf = (talkers: readonly { said: number }[]): number => talkers.reduce((sum, { said }) => sum + said, 0);

/** Emits as many events as possible, and counts them. */
function talks(turns: EventTurns): { said: number; isOver: boolean } {
  const talker = { said: 0, isOver: false };
  const share = turns.join();
  const talk = async () => {
    while (!talker.isOver) {
      const others = share.take();
      if (others) await others;
      talker.said++;
    }
  };
  void talk();
  return talker;
}

test("one that talks without end is interrupted, and goes on", async () => {
  const talker = talks(new EventTurns());
  const first = talker.said;
  expect(first).toBeLessThanOrEqual(100);
  await turnsOfTheLoop(5);
  expect(talker.said).toBeGreaterThan(2 * first);
  talker.isOver = true;
});

test("one turn of the event loop has a limited number of events, shared equally between skills", async () => {
  const turns = new EventTurns();
  const talkers = Array.from({ length: 120 }, () => talks(turns));
  await turnsOfTheLoop(300);
  const before = talkers.map(({ said }) => said);
  for (let turn = 0; turn < 600; turn++) {
    const all = sumOf(talkers);
    await turnOfTheLoop();
    expect(sumOf(talkers) - all).toBeLessThanOrEqual(100);
  }
  const counts = talkers.map(({ said }, at) => said - before[at]!);
  expect(Math.min(...counts)).toBeGreaterThan(Math.max(...counts) / 2);
  for (const talker of talkers) talker.isOver = true;
});

test("one that begins waits for few of those who talk without end", async () => {
  const turns = new EventTurns();
  const talkers = Array.from({ length: 120 }, () => talks(turns));
  await turnsOfTheLoop(300);
  const newcomer = talks(turns);
  await turnsOfTheLoop(3);
  expect(newcomer.said).toBeGreaterThan(0);
  for (const talker of [...talkers, newcomer]) talker.isOver = true;
});

test("those who begin all the time leave turns to one that goes on", async () => {
  const turns = new EventTurns();
  const talker = talks(turns);
  const newcomers: { isOver: boolean }[] = [];
  const begin = () => newcomers.push(...Array.from({ length: 10 }, () => talks(turns)));
  for (let turn = 0; turn < 5; turn++) {
    begin();
    await turnOfTheLoop();
  }
  const before = talker.said;
  for (let turn = 0; turn < 20; turn++) {
    begin();
    await turnOfTheLoop();
  }
  expect(talker.said).toBeGreaterThan(before);
  for (const each of [talker, ...newcomers]) each.isOver = true;
});

test("events in a row are those of one skill", async () => {
  const turns = new EventTurns();
  const order: number[] = [];
  const talk = async (name: number) => {
    const share = turns.join();
    for (let event = 0; event < 20; event++) {
      const others = share.take();
      if (others) await others;
      order.push(name);
    }
  };
  await Promise.all(Array.from({ length: 50 }, (_, name) => talk(name)));
  const changes = order.filter((name, at) => name !== order[at - 1]).length;
  expect(changes).toBe(50);
});

test("skills with few events wait for no other skill", async () => {
  const turns = new EventTurns();
  const share = turns.join();
  for (let number = 0; number < 200; number++) {
    expect(share.take()).toBeUndefined();
    await turnOfTheLoop();
  }
});

test("what costs more than a turn is taken from the next ones", async () => {
  const turns = new EventTurns();
  expect(turns.join().take(120)).toBeUndefined();
  let isNext = false;
  void turns
    .join()
    .take()
    ?.then(() => {
      isNext = true;
    });
  await turnOfTheLoop();
  expect(isNext).toBe(false);
  await turnsOfTheLoop(3);
  expect(isNext).toBe(true);
});
