import { isInternal } from "../../answers/expect-error.ts";
import { describeReply, errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds } from "../../define/finding.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { unknownTask } from "../../observations/unknown-task.ts";
import { nowhere } from "../../webhook/nowhere.ts";

/** That it is refused at all; with which number is a SHOULD of its own (GET-002, CANCEL-003). */
function refused(call: Call, what: string): Finding {
  const details = { saw: describeReply(call), want: "error.code -32001", at: call };
  if (errorOf(call)) return isInternal(call) ? crashed(`${what} is answered with an internal error`, details) : holds();
  if (call.reply.is === "failure") return crashed(`${what} gets no answer`, details);
  if (call.reply.is === "malformed") return broken(`${what} is answered with no JSON-RPC error`, details);
  return broken(`${what} is accepted`, details);
}

const unknownIsRefused = activeCheck({
  id: "V01-ERR-001",
  title: "tasks/get and tasks/cancel for an unknown task are errors",
  remedy: "Answer tasks/get and tasks/cancel for an unknown `id` with the error -32001.",
  uses: { firstContact, unknownTask },
  judge: ({ firstContact: contact, unknownTask: asked }) => [
    refused(contact.asked, "tasks/get with an unknown id"),
    ...asked
      .filter(({ operation }) => operation === "CancelTask")
      .map((one) => refused(one.call, "tasks/cancel with an unknown id")),
  ],
});

const noPushToUnknown = activeCheck({
  id: "V01-PUSH-007",
  title: "no push configuration is set or shown for a task that does not exist",
  remedy: "Refuse tasks/pushNotification/set and /get for an `id` that you do not know with -32001.",
  uses: { unknownTask },
  judge({ unknownTask: asked }) {
    const tried = asked.filter(({ operation }) => operation.includes("PushNotification"));
    const findings = tried.map(({ operation, call }): Finding => {
      const what = `tasks/pushNotification/${operation.startsWith("Create") ? "set" : "get"} with an unknown id`;
      const details = { saw: describeReply(call), want: "error.code -32001", at: call };
      if (errorOf(call)?.code === -32603) return breach("internal-error", `${what} is refused with -32603`, details);
      return refused(call, what);
    });
    return findings.length ? findings : holds();
  },
});

const noPush = activeCheck({
  id: "V01-PUSH-008",
  title: "an agent that does not claim push notifications refuses their methods",
  remedy: "Refuse tasks/pushNotification/set and /get with -32003, or set capabilities.pushNotifications to true.",
  uses: { sentMessage },
  async judge({ sentMessage: { task } }, target) {
    const taskId = task?.id ?? target.unknownId();
    const tried = [
      ["set", await target.call("CreateTaskPushNotificationConfig", { taskId, url: nowhere })],
      ["get", await target.call("GetTaskPushNotificationConfig", { taskId, id: taskId })],
    ] as const;
    const findings = tried.map(([word, call]): Finding => {
      const what = `tasks/pushNotification/${word}`;
      const details = { saw: describeReply(call), want: "error.code -32003", at: call };
      const code = errorOf(call)?.code;
      if (isInternal(call)) return crashed(`${what} is answered with an internal error`, details);
      // Who does not have the method may say just that (§8.1).
      if (code === -32003 || code === -32601 || code === -32004) return holds();
      return code === undefined
        ? broken(`${what} is served by an agent that does not claim push notifications`, details)
        : breach("other-reason", `${what} is refused with another code than -32003`, details);
    });
    return findings;
  },
});

export const refusalChecks: readonly Check[] = [unknownIsRefused, noPushToUnknown, noPush];
