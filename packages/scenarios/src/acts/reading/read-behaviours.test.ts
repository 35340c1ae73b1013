import { expect, test } from "vitest";
import { readBehaviours } from "./read-behaviours.ts";

test("the prefixes of a file of behaviours", () => {
  const text = `acts_version: "1.0"
behaviors:
  - prefix: tck-complete-task
    description: Complete the task
    response_type: task
    terminal_state: TASK_STATE_COMPLETED
  - { prefix: tck-stream-basic, description: Stream, streaming: true, delay_ms: 10 }
`;
  expect(readBehaviours("b.yaml", text)).toEqual(["tck-complete-task", "tck-stream-basic"]);
});

test("a mistake in it is an error with its place", () => {
  expect(() => readBehaviours("b.yaml", 'acts_version: "1.0"\nbehaviors:\n  - prefx: x\n    description: y\n')).toThrow(
    'b.yaml:3:5 a behaviour: "prefix" is missing',
  );
});
