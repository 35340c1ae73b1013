import { expect, test } from "vitest";
import { FakeClock, settle } from "../definition/fake-clock.fixture.ts";
import { Model } from "./moody.ts";

const forever = new AbortController().signal;

test("serves one message at a time, in the order they came", async () => {
  const model = new Model();
  const clock = new FakeClock();
  const done: string[] = [];
  const message = async (name: string) => {
    const place = model.enter();
    await place.think(1_000, clock, forever);
    await place.think(1_000, clock, forever);
    done.push(`${name} at ${clock.now() - start}`);
    place.leave();
  };
  const start = clock.now();
  const both = [message("first"), message("second")];
  await clock.pass(10_000);
  await Promise.all(both);
  expect(done).toEqual(["first at 2000", "second at 4000"]);
});

test("is pressed by three messages, until one of them leaves", () => {
  const model = new Model();
  const places = [model.enter(), model.enter()];
  expect(model.isPressed).toBe(false);
  places.push(model.enter());
  expect(model.isPressed).toBe(true);
  places[1]!.leave();
  expect(model.isPressed).toBe(false);
});

test("who is canceled in the queue need not wait, and those behind do not overtake the first", async () => {
  const model = new Model();
  const clock = new FakeClock();
  const [first, second, third] = [model.enter(), model.enter(), model.enter()];
  const canceled = new AbortController();
  const order: string[] = [];
  const thoughts = [
    first.think(1_000, clock, forever).then(() => order.push("first")),
    second.think(1_000, clock, canceled.signal).catch(() => {
      order.push("second gave up");
      second.leave();
    }),
    third.think(1_000, clock, forever).then(() => order.push("third")),
  ];
  await settle();
  canceled.abort();
  await settle();
  expect(order).toEqual(["second gave up"]);
  await clock.pass(1_000);
  first.leave();
  await clock.pass(1_000);
  await Promise.all(thoughts);
  expect(order).toEqual(["second gave up", "first", "third"]);
});
