import { hasOperation } from "../../answers/operations-of.ts";
import { asObject, asText, brief, messageIn, resultOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { pageIn } from "../../observations/list-pages.ts";
import { sentMessage } from "../../observations/sent-message.ts";

export const answersWithTaskOrMessage = activeCheck({
  id: "SEND-001",
  title: "SendMessage answers with exactly one of task and message",
  remedy: "Put the Task under `task`, or the Message under `message`, and nothing else beside it.",
  uses: { sentMessage },
  async judge({ sentMessage: { call } }, target) {
    const result = asObject(resultOf(call)) ?? {};
    const present = ["task", "message"].filter((member) => result[member] !== undefined && result[member] !== null);
    if (present.length === 1) return messageIn(call) ? judgeLeftBehind(call, target) : holds();
    return broken(
      `the answer of SendMessage has ${present.length ? "both task and message" : "neither task nor message"}`,
      {
        saw: brief(result),
        want: "exactly one of task and message",
        at: call,
      },
    );
  },
});

/** A client that got a message does not know of a task, so it will never ask for it. */
async function judgeLeftBehind(answered: Call, target: Target): Promise<Finding> {
  const contextId = asText(messageIn(answered)?.["contextId"]);
  if (contextId === undefined || !hasOperation(target.on, "ListTasks")) return holds();
  const listed = await target.call("ListTasks", { contextId, pageSize: 1 });
  const task = pageIn(listed)?.tasks.find((one) => one.contextId === contextId);
  if (!task) return holds();
  return breach("task-left-behind", "a message that was answered directly has left a task behind", {
    saw: `task ${task.id} in the context of the answer`,
    want: "a direct Message and no task, or the Task as the answer",
    at: [answered, listed],
  });
}
