import { expect, test } from "vitest";
import { holds, readCondition } from "./until.ts";

const task = (state: string) => ({ status: { state } });

test.each([
  ["status.state == TASK_STATE_WORKING", true],
  ["status.state != TASK_STATE_WORKING", false],
  ["status.state in [TASK_STATE_COMPLETED, TASK_STATE_WORKING]", true],
  ["status.state in [TASK_STATE_COMPLETED]", false],
  ["status.state=='TASK_STATE_WORKING'", true],
])("%s", (text, expected) => {
  expect(holds(readCondition(text)!, task("TASK_STATE_WORKING"))).toBe(expected);
});

test("numbers, booleans and null are compared as what they are", () => {
  expect(holds(readCondition("count == 3")!, { count: 3 })).toBe(true);
  expect(holds(readCondition("count == 3")!, { count: "3" })).toBe(false);
  expect(holds(readCondition("done == true")!, { done: true })).toBe(true);
  expect(holds(readCondition("left == null")!, { left: null })).toBe(true);
});

test("what is not there equals nothing", () => {
  expect(holds(readCondition("status.state == x")!, {})).toBe(false);
  expect(holds(readCondition("status.state != x")!, {})).toBe(true);
});

test.each(["status.state", "status.state is done", "in [a]", "status.state in []", ""])(
  "%j is no condition",
  (text) => {
    expect(readCondition(text)).toBeUndefined();
  },
);
