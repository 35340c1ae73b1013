import { expect, test } from "vitest";
import { enums } from "./generated/fields.ts";
import { isInterrupted, isResting, isTerminal, type TaskState } from "./model.ts";

test("every state is running, interrupted or terminal, and rests in the last two", () => {
  const states = Object.keys(enums["TaskState"]!) as TaskState[];
  const sorted = states.map((state) => [state, isTerminal(state), isInterrupted(state), isResting(state)]);
  expect(sorted).toEqual([
    ["TASK_STATE_UNSPECIFIED", false, false, false],
    ["TASK_STATE_SUBMITTED", false, false, false],
    ["TASK_STATE_WORKING", false, false, false],
    ["TASK_STATE_COMPLETED", true, false, true],
    ["TASK_STATE_FAILED", true, false, true],
    ["TASK_STATE_CANCELED", true, false, true],
    ["TASK_STATE_INPUT_REQUIRED", false, true, true],
    ["TASK_STATE_REJECTED", true, false, true],
    ["TASK_STATE_AUTH_REQUIRED", false, true, true],
  ]);
});
