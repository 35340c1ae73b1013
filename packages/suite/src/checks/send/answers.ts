import { isInternal } from "../../answers/expect-error.ts";
import { asObject, asText, brief } from "../../answers/loose-json.ts";
import { hasOperation } from "../../answers/operations-of.ts";
import { answerOf, describeReply, errorOf, messageIn, resultOf, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { inDialectOf } from "../../observations/in-dialect-of.ts";
import { pageIn } from "../../observations/list-pages.ts";
import { isSameError, refusalOfUnknownTask } from "../../observations/send-to-unknown-task.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { repeatedMessage } from "../../observations/slow-task.ts";
import { paramsFor, unknownTask } from "../../observations/unknown-task.ts";

export const answersWithTaskOrMessage = activeCheck("SEND-001", {
  uses: { sentMessage },
  async judge({ sentMessage: { call } }, target) {
    const result = asObject(resultOf(call)) ?? {};
    const present = ["task", "message"].filter((member) => result[member] !== undefined && result[member] !== null);
    if (present.length === 1) return messageIn(call) ? judgeLeftBehind(call, target) : holds();
    return broken(
      `the response of SendMessage has ${present.length ? "both task and message" : "neither task nor message"}`,
      {
        saw: brief(result),
        want: "exactly one of task and message",
        at: call,
      },
    );
  },
});

/** A client that got a message does not know about the task, so it never asks for it. */
async function judgeLeftBehind(answered: Call, target: Target): Promise<Finding> {
  const contextId = asText(messageIn(answered)?.["contextId"]);
  if (contextId === undefined || !hasOperation(target.on, "ListTasks")) return holds();
  const listed = await target.call("ListTasks", { contextId, pageSize: 1 });
  const task = pageIn(listed)?.tasks.find((one) => one.contextId === contextId);
  if (!task) return holds();
  return breach("task-left-behind", "the agent responds with a direct message and also creates a task", {
    saw: `task ${task.id} in the context of the message`,
    want: "a direct Message and no task, or the Task as the response",
    at: [answered, listed],
  });
}

export const readsWithoutKind = activeCheck("V03-SEND-001", {
  uses: { unknownTask },
  async judge({ unknownTask: asked }, target) {
    const control = refusalOfUnknownTask(asked);
    const params = inDialectOf(target, "SendMessage", paramsFor(target, "SendMessage"));
    const { kind: _left, ...message } = asObject(params["message"]) ?? {};
    const call = await target.call(
      "SendMessage",
      { ...params, message },
      { literal: true, refusable: true, fair: false },
    );
    if (isSameError(call, control)) return holds();
    const details = answerOf(call, `the response to the same message with kind: ${describeReply(control)}`);
    if (isInternal(call)) return crashed("a message without kind causes an internal error", details);
    return broken("the agent refuses a message because it has no kind", details);
  },
});

/** Recognises a timeout set by Assay. */
const isOurs = (code: string): boolean => code.startsWith("timeout") || code === "aborted";

export const survivesRepetition = activeCheck("SEND-018", {
  // Uses the slow message, which shows whether the work starts twice.
  requires: ["scenario:long"],
  once: true,
  uses: { repeatedMessage },
  judge({ repeatedMessage: { first, again } }) {
    if (isInternal(again)) {
      return crashed(
        "SendMessage with a repeated messageId returns an internal error",
        answerOf(again, "the existing task, a new task, or an error"),
      );
    }
    if (again.reply.is === "failure")
      return notExamined("unstable", `SendMessage got no response: ${describeReply(again)}`);
    if (errorOf(again)) return holds(`the agent refuses a repeated messageId: ${describeReply(again)}`, again);
    const isSame = taskIn(again)?.id === first.id;
    return isSame ? holds("the agent recognises a repeated messageId and returns the same task", again) : holds();
  },
});

export const survivesInterjections = activeCheck("CTX-014", {
  once: true,
  uses: { repeatedMessage },
  judge({ repeatedMessage: { interjection } }, target) {
    if (!interjection) return notExamined("not-triggered", "the run had no working task to send a message to");
    const { call, overdue } = interjection;
    const want = "the task, or an error such as UnsupportedOperation";
    const details = answerOf(call, want);
    if (isInternal(call))
      return breach("internal-error", "SendMessage to a working task returns an internal error", details);
    if (call.reply.is === "failure") {
      const isLate = overdue !== undefined && overdue >= target.grace;
      if (isLate && isOurs(call.reply.failure.code))
        return crashed("SendMessage to a working task gets no response, even long after the task has ended", details);
      return notExamined("unstable", `SendMessage got no response: ${describeReply(call)}`, "--task-timeout <seconds>");
    }
    if (call.reply.is === "malformed") return notExamined("not-triggered", "the response is malformed");
    return taskIn(call) || messageIn(call) ? holds("the agent accepts messages to working tasks", call) : holds();
  },
});
