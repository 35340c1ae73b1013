import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import { EventTurns } from "./event-turns.ts";

/** Emits as many events as possible, and counts them. */
function talks(turns: EventTurns): { said: number; isOver: boolean } {
  const talker = { said: 0, isOver: false };
  const talk = async () => {
    while (!talker.isOver) {
      const others = turns.take();
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
  for (let turn = 0; turn < 5; turn++) await turnOfTheLoop();
  expect(talker.said).toBeGreaterThan(2 * first);
  talker.isOver = true;
});

test("however many talk, a turn of the loop has so many events, and none is left out", async () => {
  const turns = new EventTurns();
  const talkers = Array.from({ length: 120 }, () => talks(turns));
  const said = () => talkers.reduce((sum, each) => sum + each.said, 0);
  for (let turn = 0; turn < 20; turn++) {
    const before = said();
    await turnOfTheLoop();
    expect(said() - before).toBeLessThanOrEqual(100);
  }
  const counts = talkers.map((each) => each.said);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  for (const talker of talkers) talker.isOver = true;
});

test("those who say something now and then wait for nobody", async () => {
  const turns = new EventTurns();
  for (let number = 0; number < 200; number++) {
    expect(turns.take()).toBeUndefined();
    await turnOfTheLoop();
  }
});

test("what costs more than a turn is taken from the next ones", async () => {
  const turns = new EventTurns();
  expect(turns.take(120)).toBeUndefined();
  let isNext = false;
  void turns.take()?.then(() => {
    isNext = true;
  });
  await turnOfTheLoop();
  expect(isNext).toBe(false);
  for (let turn = 0; turn < 3; turn++) await turnOfTheLoop();
  expect(isNext).toBe(true);
});
