import { errorTable } from "@assay/protocol";
import type { HeaderPairs } from "@assay/wire";
import { isA2A, isNamed } from "../../answers/error-names.ts";
import { isInternal, isRefusal, matches, mismatch, wanted } from "../../answers/expect-error.ts";
import { isSend } from "../../answers/operations-of.ts";
import { answerOf, describeReply, errorOf } from "../../answers/reading.ts";
import { isUnknown, lacksCapability } from "../../answers/served.ts";
import { assertReadable } from "../../answers/unreadable-events.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, passiveCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { judgeEach } from "../../define/judge-each.ts";
import type { Target } from "../../define/target.ts";
import { extendedCardAsked } from "../../observations/cards.ts";
import { endedTask } from "../../observations/ended-task.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { invalidInput } from "../../observations/invalid-input.ts";
import { unknownMediaType } from "../../observations/odd-messages.ts";
import { isTaken, otherVersion } from "../../observations/other-version.ts";
import { sendInVain, sendParams } from "../../observations/sending.ts";
import { sentCall } from "../../observations/sent-calls.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { ask, paramsFor, type RefusedCall, unknownTask } from "../../observations/unknown-task.ts";
import { expectNamed, isForbidden, isOtherError, noMessageTaken } from "./expect.ts";

export const taskNotFound = activeCheck("ERR-020", {
  uses: { unknownTask },
  judge({ unknownTask: asked }, target) {
    const { call } = sentCall(asked, ({ operation }) => operation === "GetTask")!;
    if (isForbidden(call, target)) return notApplicable("the agent does not reveal whether a task exists");
    return expectNamed(call, "TaskNotFound", { what: "GetTask with an unknown id", also: ["InvalidParams"] });
  },
});

export const taskNotCancelable = activeCheck("ERR-021", {
  uses: { endedTask },
  judge: ({ endedTask: { canceled } }) =>
    expectNamed(canceled, "TaskNotCancelable", { what: "CancelTask on an ended task" }),
});

export const pushNotSupported = activeCheck("ERR-022", {
  uses: { firstContact },
  also: { sentMessage },
  async judge({ sentMessage: seen }, target) {
    const last = seen?.last;
    const params = paramsFor(target, "CreateTaskPushNotificationConfig");
    const call = await target.call("CreateTaskPushNotificationConfig", { ...params, ...(last && { taskId: last.id }) });
    // Without an existing task, "task not found" may come first (AMB-34).
    if (!last && isNamed(call, "TaskNotFound")) return holds();
    const what = "CreateTaskPushNotificationConfig without the capability";
    if (isInternal(call)) {
      return breach(
        "refused-as-internal",
        `${what} returns an internal error`,
        answerOf(call, wanted("PushNotificationNotSupported", call)),
      );
    }
    return expectNamed(call, "PushNotificationNotSupported", { what });
  },
});

export const unsupportedOperation = activeCheck("ERR-023", {
  uses: { firstContact },
  also: { endedTask },
  async judge({ endedTask: ended }, target): Promise<Finding> {
    const judge = (call: Call, what: string): Finding => expectNamed(call, "UnsupportedOperation", { what });
    if (!target.facts.streaming) {
      const call = await ask(target, "SendStreamingMessage", sendParams(target));
      return judge(call, "SendStreamingMessage without the capability");
    }
    if (!target.facts.extendedAgentCard) {
      const call = await ask(target, "GetExtendedAgentCard", {}, { share: "plain" });
      return judge(call, "GetExtendedAgentCard without the capability");
    }
    if (!ended) return notExamined("not-triggered", "the run has no ended task to send a message to", "--depth full");
    const { addressed } = ended;
    return judge(addressed, "SendMessage to an ended task");
  },
});

export const contentTypeNotSupported = activeCheck("ERR-024", {
  uses: { unknownMediaType },
  also: { sentMessage },
  judge({ unknownMediaType: call, sentMessage: sent }) {
    // No rule requires an agent to check the type (AMB-36), and it may have other reasons.
    const isRefused = errorOf(call) !== undefined && (isRefusal(call) || isInternal(call));
    if (!isRefused) return notApplicable("the agent accepts a part with a media type that it does not list");
    if (isNamed(call, "InvalidAgentResponse"))
      return notExamined(
        "not-triggered",
        "the agent returns an error, but does not say that the media type is the reason",
      );
    if (!sent && isOtherError(call, "ContentTypeNotSupported")) return noMessageTaken(call);
    return expectNamed(call, "ContentTypeNotSupported", {
      what: "SendMessage with an unknown media type",
      also: ["InvalidParams"],
    });
  },
});

export const invalidAgentResponse = passiveCheck("ERR-025", {
  shownBy: [invalidInput],
  otherwise: "the agent never returned InvalidAgentResponse",
  excusedBy: (call) =>
    call.fair && isSend(call.operation) && isNamed(call, "InvalidAgentResponse")
      ? "the agent returns InvalidAgentResponse for every message, so it does not blame the request"
      : undefined,
  judge(call) {
    const name = "InvalidAgentResponse";
    if (errorOf(call)?.reason !== errorTable[name].reason && !isNamed(call, name)) return undefined;
    if (!call.fair) {
      return broken(
        "the agent returns InvalidAgentResponse for an invalid request",
        answerOf(call, "an error about the request"),
      );
    }
    return expectNamed(call, name, { what: "a request with an invalid agent response" });
  },
});

export const extendedCardNotConfigured = activeCheck("ERR-026", {
  uses: { extendedCardAsked },
  judge({ extendedCardAsked: call }) {
    if (call.reply.is === "result") return notApplicable("the extended card is configured");
    return expectNamed(call, "ExtendedAgentCardNotConfigured", {
      what: "GetExtendedAgentCard on an agent that declares an extended card",
    });
  },
});

export const extensionSupportRequired = activeCheck("ERR-027", {
  uses: { firstContact },
  async judge(_seen, target) {
    const edit = (headers: HeaderPairs) => headers.filter(([name]) => name.toLowerCase() !== "a2a-extensions");
    const call = await sendInVain(target, {}, { edit });
    return expectNamed(call, "ExtensionSupportRequired", { what: "SendMessage without the required extension" });
  },
});

export const versionNotSupported = activeCheck("ERR-028", {
  uses: { otherVersion },
  judge({ otherVersion: asked }) {
    // VER-005 judges whether a version is refused, and "task not found" may come first (AMB-34). This rule judges the
    // numbers of a refusal. ListTasks may be refused for other reasons.
    const refused = asked.find(({ operation, call }) => operation !== "ListTasks" && !isTaken(call));
    if (!refused) return notApplicable("the agent refused no request for its version (VER-005)");
    return expectNamed(refused.call, "VersionNotSupported", { what: `${refused.operation} in version 99.0` });
  },
});

export const missingIsNotFound = activeCheck("ERR-007", {
  uses: { unknownTask },
  judge: ({ unknownTask: asked }, target) =>
    judgeEach(
      asked.filter(({ operation }) => !operation.startsWith("Send")),
      (one) => judge(one, asked, target),
    ),
});

function judge({ operation, call }: RefusedCall, asked: readonly RefusedCall[], target: Target): Finding {
  const saw = describeReply(call);
  const details = { saw, want: wanted("TaskNotFound", call), at: call };
  // A missing push configuration has no error of its own (AMB-14), so any reason counts.
  const error = errorOf(call);
  const isNotFound = error?.grpc ? error.grpc.status === "NOT_FOUND" : error?.http === 404;
  if (isNotFound || isNamed(call, "TaskNotFound") || isForbidden(call, target)) return holds();
  // CAP-002 to CAP-004 judge operations that are declared but missing.
  if (isUnknown({ operation, call }, asked) || lacksCapability(operation, call)) return holds();
  // The verb for subscribing is disputed (AMB-04); REST-006 tries both.
  if (operation === "SubscribeToTask" && call.exchange.http.response?.status === 405) return holds();
  // REST-027 judges the format.
  if (call.reply.is === "malformed" && call.exchange.http.response?.status === 404) return holds();
  // An id may be called invalid (§3.3.2), and the webhook may be checked first (AMB-34).
  // Other errors share HTTP 400.
  if (matches(call, "InvalidParams") && !isA2A(call)) return holds();
  const what = `${operation} on an unknown task`;
  if (isInternal(call)) return crashed(`${what} returns an internal error`, details);
  assertReadable(call);
  if (call.reply.is === "failure") return crashed(`${what} gets no response`, details);
  if (error) {
    const code = isNamed(call, "UnsupportedOperation") ? "operation-unsupported" : "other-error";
    return breach(code, `${what} returns ${mismatch(call, error, "TaskNotFound")}`, details);
  }
  if (call.reply.is === "malformed") return broken(`${what} returns a malformed response instead of an error`, details);
  return breach("accepted", `${what} returns no error`, details);
}
