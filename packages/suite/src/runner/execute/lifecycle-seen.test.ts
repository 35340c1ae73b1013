import { expect, test } from "vitest";
import { heldUp, skipped } from "../../define/obstacle.ts";
import type { SentMessage } from "../../observations/sent-message.ts";
import { answerMissed, answerSeen } from "./lifecycle-seen.ts";

const task = (state: string) => ({ id: "t", state }) as SentMessage["task"];
const seen = (about: Partial<SentMessage>) => answerSeen(about as SentMessage);

test.each([
  ["TASK_STATE_COMPLETED", "completed"],
  ["TASK_STATE_INPUT_REQUIRED", "waiting"],
  ["TASK_STATE_AUTH_REQUIRED", "waiting"],
  ["TASK_STATE_FAILED", "failed"],
  ["TASK_STATE_CANCELED", "failed"],
  ["TASK_STATE_REJECTED", "refused"],
  ["TASK_STATE_WORKING", "unfinished"],
] as const)("a task that ends up %s is %s", (state, answer) => {
  expect(seen({ task: task("TASK_STATE_SUBMITTED"), last: task(state) })).toBe(answer);
});

test("a message is one, and a task that GetTask does not return is told by what the send said", () => {
  expect(seen({ message: { messageId: "m" } })).toBe("message");
  expect(seen({ task: task("TASK_STATE_COMPLETED") })).toBe("completed");
});

test("what was not answered is refused or silence; what was not sent is nothing", () => {
  expect(answerMissed(heldUp("SEND-001", "neither", []))).toBe("refused");
  expect(answerMissed(skipped("unstable", "no answer in time"))).toBe("silence");
  expect(answerMissed(skipped("budget", "no messages left"))).toBe(undefined);
  expect(answerMissed(new Error("a bug"))).toBe(undefined);
});
