import type { JsonValue } from "@assay/protocol";
import { expect, test } from "vitest";
import { wordsOf } from "../bindings/call.fixture.ts";
import { replied, streamOf } from "../bindings/reply.fixture.ts";
import { waitingTasksToo } from "./subscription.ts";

const status = { state: "TASK_STATE_INPUT_REQUIRED" };

test.each<[string, JsonValue, string[]]>([
  ["its Task", { task: { id: "t", contextId: "c", status } }, ["holds"]],
  ["an update", { statusUpdate: { taskId: "t", contextId: "c", status } }, ["opens-without-task"]],
  ["something unreadable", { id: "t" }, ["not-examined"]],
])("a subscription to a waiting task that opens with %s", async (_what, first, verdict) => {
  const subscription = replied("SubscribeToTask", streamOf([first]));
  const seen = { taskAskingBack: { task: { id: "t" }, subscription } };
  expect(wordsOf(await waitingTasksToo.judge(seen as never, undefined as never))).toEqual(verdict);
});
