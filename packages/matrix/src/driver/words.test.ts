import { expect, test } from "vitest";
import { givenBy } from "./words.ts";

test("a status whose message has nothing in it is read as one without a message", () => {
  const empty = { kind: "message", role: "agent", messageId: "", parts: [], metadata: {} };
  const task = { kind: "task", id: "t", contextId: "c", status: { state: "completed", message: empty } };
  const given = givenBy("0.3", "SendMessage", { result: task, events: [] }, false);
  expect(given.result).toMatchObject({ task: { id: "t", status: { state: "TASK_STATE_COMPLETED" } } });
});
