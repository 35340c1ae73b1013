import { expect, test } from "vitest";
import { Workload } from "./workload.ts";

const two = { first: 2, most: 8 };

test("grows by one with every answer that comes as fast as before, up to its most", () => {
  const workload = new Workload(two);
  workload.answered("a", 3_000);
  expect(workload.size).toBe(2);
  const sizes = Array.from({ length: 8 }, () => {
    workload.answered("a", 3_100);
    return workload.size;
  });
  expect(sizes).toEqual([3, 4, 5, 6, 7, 8, 8, 8]);
});

test("compares messages of one kind only", () => {
  const workload = new Workload(two);
  workload.answered("quick", 10);
  workload.answered("slow", 2_000);
  expect(workload.size).toBe(2);
  workload.answered("slow", 2_000);
  expect(workload.size).toBe(3);
});

test("neither grows nor shrinks by an answer that is only a little later", () => {
  const workload = new Workload(two);
  for (const ms of [1_000, 1_000, 2_000]) workload.answered("a", ms);
  expect(workload.size).toBe(3);
});

test("is halved when answers become slow, and grows again when they do not", () => {
  const workload = new Workload(two);
  for (const ms of [100, 100, 100, 100, 100]) workload.answered("a", ms);
  expect(workload.size).toBe(6);
  workload.answered("a", 900);
  expect(workload.size).toBe(3);
  workload.answered("a", 100);
  expect(workload.size).toBe(4);
});

test("is not smaller than at first for an agent whose answers differ by themselves", () => {
  const workload = new Workload(two);
  for (const ms of [2_000, 8_000, 2_000]) workload.answered("a", ms);
  expect(workload.size).toBe(3);
});

test("is halved as well when other calls become slow, which never make it grow", () => {
  const workload = new Workload(two);
  for (const ms of [100, 100, 100, 100, 100]) workload.answered("a", ms);
  for (const ms of [4, 5, 4]) workload.passed("GetTask", ms);
  expect(workload.size).toBe(6);
  workload.passed("GetTask", 400);
  expect(workload.size).toBe(3);
});

test("is halved when the agent turns us away, and does not grow again", () => {
  const workload = new Workload(two);
  for (let answers = 0; answers < 5; answers++) workload.answered("a", 10);
  expect(workload.size).toBe(6);
  workload.pressed();
  expect(workload.size).toBe(3);
  workload.answered("a", 10);
  expect(workload.size).toBe(3);
  workload.pressed();
  workload.pressed();
  expect(workload.size).toBe(1);
});

test("lets in everybody who waits when the run ends, and stays open", async () => {
  const workload = new Workload({ first: 1, most: 1 });
  await workload.enter();
  const waiting = workload.enter();
  workload.end();
  workload.pressed();
  await waiting;
  await workload.enter();
});
