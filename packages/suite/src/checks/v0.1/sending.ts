import { isInternal } from "../../answers/expect-error.ts";
import { asObject, asText, brief } from "../../answers/loose-json.ts";
import { answerOf, errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, passiveCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable } from "../../define/finding.ts";
import { endedCancel } from "../../observations/ended-task.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { everyKindOfPart, messageToEndedTask } from "../../observations/older.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { unknownTask } from "../../observations/unknown-task.ts";
import { nowhere } from "../../webhook/nowhere.ts";
import { saidTask, stateIn } from "./said.ts";

export const answersWithTheTask = passiveCheck("V01-SEND-001", {
  shownBy: [sentMessage],
  judge(call) {
    const said = saidTask(call);
    if (said?.sent.method !== "tasks/send") return undefined;
    const result = asObject(said.result);
    if (result && asObject(result["status"]) && result["id"] !== undefined) return holds();
    const details = { saw: brief(said.result), want: "a Task: id and status at the top level of the result" };
    if (result && asObject(result["task"])) return broken("tasks/send wraps the task in a task member", details);
    return broken("tasks/send does not return a task", details);
  },
});

export const beginsWell = passiveCheck("V01-SEND-002", {
  shownBy: [sentMessage],
  judge(call) {
    const said = saidTask(call);
    const state = stateIn(said?.result);
    if (said?.sent.method !== "tasks/send" || state === undefined) return undefined;
    if (["submitted", "working", "completed"].includes(state)) return holds();
    // The checks that trigger input-required and failed judge them; an invalid state has its own rule.
    if (state !== "unknown") return undefined;
    return broken("tasks/send returns a task whose state is unknown", {
      saw: brief(said.result),
      want: "submitted, working or completed",
    });
  },
});

export const keepsTheId = passiveCheck("V01-SEND-003", {
  shownBy: [sentMessage],
  judge(call) {
    const said = saidTask(call);
    const asked = said?.sent.params["id"];
    const id = asObject(said?.result)?.["id"];
    if (asked === undefined || id === undefined) return undefined;
    if (id === asked) return holds();
    const details = { saw: `id ${brief(id, 60)}`, want: `id ${brief(asked, 60)}` };
    if (typeof id === "number") return breach("number-as-id", "the id of a task is a number", details);
    return broken("a task has a different id than the client chose", details);
  },
});

export const keepsTheSession = passiveCheck("V01-SEND-004", {
  shownBy: [everyKindOfPart],
  judge(call) {
    const said = saidTask(call);
    const asked = asText(said?.sent.params["sessionId"]);
    if (said?.sent.method !== "tasks/send" || asked === undefined || !asObject(said.result)) return undefined;
    const session = asObject(said.result)?.["sessionId"];
    // The sessionId of a task is optional.
    if (session === undefined || session === null || session === asked) return holds();
    return broken("a task has a different sessionId than the client sent", {
      saw: `sessionId ${brief(session, 60)}`,
      want: `sessionId ${brief(asked, 60)}`,
    });
  },
});

export const endedTasksAnswer = activeCheck("V01-SEND-005", {
  uses: { messageToEndedTask },
  judge({ messageToEndedTask: call }) {
    const what = "tasks/send to an ended task";
    const details = answerOf(call, "the task, working again, or error.code -32009");
    if (call.reply.is === "result") return holds(`${what} reopens it`);
    if (isInternal(call)) return crashed(`${what} returns an internal error`, details);
    if (call.reply.is === "failure") return crashed(`${what} gets no response`, details);
    const code = errorOf(call)?.code;
    if (code === undefined) return broken(`${what} returns no JSON-RPC error`, details);
    // The schema has no -32009, and a deleted task is unknown.
    if ([-32009, -32004, -32001].includes(code)) return holds();
    return breach("other-reason", `${what} returns an error code other than -32009`, details);
  },
});

export const endedTasksStay = activeCheck("V01-CANCEL-001", {
  uses: { endedCancel },
  judge({ endedCancel: { task, canceled } }) {
    const state = stateIn(canceled.said.is === "result" ? canceled.said.json : undefined);
    if (state === undefined)
      return canceled.reply.is === "error" ? holds() : notApplicable("tasks/cancel returns no task");
    if (state !== "canceled") return holds("tasks/cancel returns an ended task unchanged");
    return broken(
      "tasks/cancel changes the state of an ended task to canceled",
      answerOf(canceled, `${task.state}, or error.code -32002`),
    );
  },
});

/** Checks that the agent refuses a call at all; GET-002 and CANCEL-003 judge the code. */
function refused(call: Call, what: string): Finding {
  const details = answerOf(call, "error.code -32001");
  if (errorOf(call)) return isInternal(call) ? crashed(`${what} returns an internal error`, details) : holds();
  if (call.reply.is === "failure") return crashed(`${what} gets no response`, details);
  if (call.reply.is === "malformed") return broken(`${what} returns no JSON-RPC error`, details);
  return broken(`${what} returns no error`, details);
}

export const unknownIsRefused = activeCheck("V01-ERR-001", {
  uses: { firstContact, unknownTask },
  judge: ({ firstContact: contact, unknownTask: asked }) => [
    refused(contact.asked, "tasks/get with an unknown id"),
    ...asked
      .filter(({ operation }) => operation === "CancelTask")
      .map((one) => refused(one.call, "tasks/cancel with an unknown id")),
  ],
});

export const noPushToUnknown = activeCheck("V01-PUSH-007", {
  uses: { unknownTask },
  judge({ unknownTask: asked }) {
    const tried = asked.filter(({ operation }) => operation.includes("PushNotification"));
    const findings = tried.map(({ operation, call }): Finding => {
      const what = `tasks/pushNotification/${operation.startsWith("Create") ? "set" : "get"} with an unknown id`;
      const details = answerOf(call, "error.code -32001");
      if (errorOf(call)?.code === -32603) return breach("internal-error", `${what} returns -32603`, details);
      return refused(call, what);
    });
    return findings.length ? findings : holds();
  },
});

export const noPush = activeCheck("V01-PUSH-008", {
  uses: { sentMessage },
  async judge({ sentMessage: { task } }, target) {
    const taskId = task?.id ?? target.unknownId();
    const tried = [
      ["set", await target.call("CreateTaskPushNotificationConfig", { taskId, url: nowhere })],
      ["get", await target.call("GetTaskPushNotificationConfig", { taskId, id: taskId })],
    ] as const;
    return tried.map(([word, call]): Finding => {
      const what = `tasks/pushNotification/${word}`;
      const details = answerOf(call, "error.code -32003");
      const code = errorOf(call)?.code;
      if (isInternal(call)) return crashed(`${what} returns an internal error`, details);
      // An agent without the method may report just that (§8.1).
      if (code === -32003 || code === -32601 || code === -32004) return holds();
      return code === undefined
        ? broken(`${what} succeeds without the push notification capability`, details)
        : breach("other-reason", `${what} returns an error code other than -32003`, details);
    });
  },
});
