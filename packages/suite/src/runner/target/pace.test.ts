import { expect, test } from "vitest";
import { Pace } from "./pace.ts";

/** How long each of so many requests waits that want to be sent at once. */
const waits = (pace: Pace, count: number): number[] => Array.from({ length: count }, () => pace.turn(10_000));

test("requests are sent at once, unless a rate is set", () => {
  expect(waits(new Pace(undefined), 3)).toEqual([0, 0, 0]);
  expect(waits(new Pace(10), 3)).toEqual([0, 100, 200]);
});

test("an agent that turns requests away gets fewer, and more again when it answers", () => {
  const pace = new Pace(undefined);
  pace.slowDown();
  expect(waits(pace, 2)).toEqual([0, 50]);
  pace.slowDown();
  expect([pace.turn(20_000), pace.turn(20_000)]).toEqual([0, 60]);
  for (let answer = 0; answer < 80; answer++) pace.speedUp();
  expect([pace.turn(30_000), pace.turn(30_000)]).toEqual([0, 0]);
});

test("it never gets more than the operator allows", () => {
  const pace = new Pace(5);
  pace.slowDown();
  for (let answer = 0; answer < 100; answer++) pace.speedUp();
  expect(waits(pace, 2)).toEqual([0, 200]);
});

test("the rate that was settled on is told, also when the agent has recovered", () => {
  const pace = new Pace(undefined);
  expect(pace.slowedDown).toBeUndefined();
  pace.slowDown(429);
  pace.slowDown(503);
  waits(pace, 50);
  for (let answer = 0; answer < 80; answer++) pace.speedUp();
  waits(pace, 50);
  expect(pace.slowedDown).toEqual({ turnedAway: 2, status: 429, requestsPerSecond: 16.7 });
});
