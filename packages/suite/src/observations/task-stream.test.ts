import { expect, test } from "vitest";
import { sequenceOf } from "./task-stream.ts";

const working = { is: "status", state: "TASK_STATE_WORKING" } as const;

test("the events of a stream are named in their order, repeats once with their number", () => {
  const events = [
    { is: "task", state: "TASK_STATE_SUBMITTED" },
    working,
    working,
    { is: "artifact", state: undefined },
  ];
  expect(sequenceOf(events as Parameters<typeof sequenceOf>[0])).toBe(
    "Task TASK_STATE_SUBMITTED, statusUpdate TASK_STATE_WORKING (2 times), artifactUpdate",
  );
});

test("a long sequence is cut, and its length stays", () => {
  const events = Array.from({ length: 40 }, (_, at) =>
    at % 2 ? working : ({ is: "artifact", state: undefined } as const),
  );
  expect(sequenceOf(events)).toMatch(/^artifactUpdate, statusUpdate .*, … \(40 events\)$/);
});
