import { expect, test } from "vitest";
import { readQueueAddress, shownQueue } from "./queue-address.ts";

test.each([
  ["redis://:hunter2@queue.example:6380/2", "redis", "redis://queue.example:6380/2"],
  ["rediss://me:hunter2@queue.example", "redis", "rediss://me@queue.example"],
  [
    "postgres://me:hunter2@db.example/assay?sslmode=require&password=hunter2",
    "postgres",
    "postgres://me@db.example/assay",
  ],
  ["postgresql://db.example/assay", "postgres", "postgresql://db.example/assay"],
])("reads %s, and shows it without its password", (text, kind, shown) => {
  const address = readQueueAddress(text);
  expect(address).toEqual({ kind, url: text });
  expect(shownQueue(address)).toBe(shown);
});

test.each([
  "sqlite:queue.db",
  "hunter2",
  "redis:/hunter2",
  "amqp://me:hunter2@queue.example",
  "redis://me:hunter2@[queue",
])("refuses %s without repeating it", (text) => {
  expect(() => readQueueAddress(text)).toThrow(/^A queue is named as redis:.*postgres:/);
  expect(() => readQueueAddress(text)).not.toThrow(/hunter2/);
});
