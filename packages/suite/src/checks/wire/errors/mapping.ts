import { probe } from "../../../check.ts";
import { isInternal, isRefusal, wanted } from "../../../expect-error.ts";
import { type Finding, holds, notApplicable, notExamined, odd } from "../../../finding.ts";
import { contact } from "../../../observations/contact.ts";
import { endedTask } from "../../../observations/ended-task.ts";
import { extendedCardAsked } from "../../../observations/extended-card.ts";
import { isTaken, otherVersion } from "../../../observations/other-version.ts";
import { settled } from "../../../observations/settled.ts";
import { strangeMedia } from "../../../observations/strange-media.ts";
import { ask, paramsFor, unknownTask } from "../../../observations/unknown-task.ts";
import { describeReply, errorOf } from "../../../reading.ts";
import type { Talk } from "../../../talk.ts";
import { expectNamed, isForbidden, isNamed } from "./names.ts";

/** One row of the table in §5.4 each: the number an error has on every binding, and its reason. */

const taskNotFound = probe({
  id: "ERR-020",
  title: "TaskNotFoundError is -32001, HTTP 404, NOT_FOUND",
  remedy: "Answer a task that does not exist with -32001, HTTP 404 or NOT_FOUND, and the reason TASK_NOT_FOUND.",
  uses: { unknownTask },
  probe({ unknownTask: asked }, lab) {
    const { talk } = asked.find(({ operation }) => operation === "GetTask")!;
    if (isForbidden(talk, lab)) return notApplicable("the agent tells nobody whether a task exists");
    return expectNamed(talk, "TaskNotFound", { what: "GetTask with an unknown id", also: ["InvalidParams"] });
  },
});

const taskNotCancelable = probe({
  id: "ERR-021",
  title: "TaskNotCancelableError is -32002, HTTP 400, FAILED_PRECONDITION",
  remedy:
    "Answer CancelTask on an ended task with -32002, HTTP 400 or FAILED_PRECONDITION, and the reason TASK_NOT_CANCELABLE.",
  uses: { endedTask },
  probe({ endedTask: { canceled, kept } }) {
    if (!kept && isNamed(canceled, "TaskNotFound")) return notApplicable("the ended task is gone");
    return expectNamed(canceled, "TaskNotCancelable", { what: "CancelTask on an ended task" });
  },
});

const pushNotSupported = probe({
  id: "ERR-022",
  title: "PushNotificationNotSupportedError is -32003, HTTP 400, FAILED_PRECONDITION",
  remedy:
    "Answer push operations without the capability with -32003, HTTP 400 or FAILED_PRECONDITION, and the reason PUSH_NOTIFICATION_NOT_SUPPORTED.",
  uses: { contact },
  also: { settled },
  async probe({ settled: seen }, lab) {
    const last = seen?.last;
    const params = paramsFor(lab, "CreateTaskPushNotificationConfig");
    const talk = await lab.call("CreateTaskPushNotificationConfig", { ...params, ...(last && { taskId: last.id }) });
    // Without a task of our own, that there is none may be said first (AMB-34).
    if (!last && isNamed(talk, "TaskNotFound")) return holds();
    // Servers before 1.0 are known to say so with the internal error.
    if (talk.on.dialect !== "1.0" && isInternal(talk)) {
      return odd("CreateTaskPushNotificationConfig without the capability is answered with an internal error", {
        saw: describeReply(talk),
        want: wanted("PushNotificationNotSupported", talk),
        at: talk,
      });
    }
    return expectNamed(talk, "PushNotificationNotSupported", {
      what: "CreateTaskPushNotificationConfig without the capability",
    });
  },
});

const unsupportedOperation = probe({
  id: "ERR-023",
  title: "UnsupportedOperationError is -32004, HTTP 400, FAILED_PRECONDITION",
  remedy:
    "Answer what the agent does not do with -32004, HTTP 400 or FAILED_PRECONDITION, and the reason UNSUPPORTED_OPERATION.",
  uses: { contact },
  also: { endedTask },
  async probe({ endedTask: ended }, lab): Promise<Finding> {
    const judge = (talk: Talk, what: string): Finding => expectNamed(talk, "UnsupportedOperation", { what });
    if (!lab.facts.streaming) {
      const talk = await ask(lab, "SendStreamingMessage", { message: { ...lab.message("task") } as never });
      return judge(talk, "SendStreamingMessage without the capability");
    }
    if (!lab.facts.extendedAgentCard) {
      const talk = await ask(lab, "GetExtendedAgentCard", {});
      return judge(talk, "GetExtendedAgentCard without the capability");
    }
    if (!ended) return notExamined("no-occasion", "there is no ended task to send a message to", "--depth full");
    const { addressed, kept } = ended;
    if (!kept && isNamed(addressed, "TaskNotFound")) return notApplicable("the ended task is gone");
    return judge(addressed, "a message to an ended task");
  },
});

const contentTypeNotSupported = probe({
  id: "ERR-024",
  title: "ContentTypeNotSupportedError is -32005, HTTP 400, INVALID_ARGUMENT",
  remedy:
    "Refuse a part of a media type you do not read with -32005, HTTP 400 or INVALID_ARGUMENT, and the reason CONTENT_TYPE_NOT_SUPPORTED.",
  uses: { strangeMedia },
  probe({ strangeMedia: talk }) {
    // Nothing obliges an agent to look at the type (AMB-36), and it may have other grounds.
    const isRefused = errorOf(talk) !== undefined && (isRefusal(talk) || isInternal(talk));
    if (!isRefused) return notApplicable("the agent took a part of a media type it does not list");
    return expectNamed(talk, "ContentTypeNotSupported", {
      what: "a part of an unknown media type",
      also: ["InvalidParams"],
    });
  },
});

const extendedCardNotConfigured = probe({
  id: "ERR-026",
  title: "ExtendedAgentCardNotConfiguredError is -32007, HTTP 400, FAILED_PRECONDITION",
  remedy:
    "Answer GetExtendedAgentCard while there is none with -32007, HTTP 400 or FAILED_PRECONDITION, and the reason EXTENDED_AGENT_CARD_NOT_CONFIGURED.",
  uses: { extendedCardAsked },
  probe({ extendedCardAsked: talk }) {
    if (talk.reply.is === "result") return notApplicable("the extended card is configured");
    return expectNamed(talk, "ExtendedAgentCardNotConfigured", {
      what: "GetExtendedAgentCard on an agent that announces an extended card",
    });
  },
});

const extensionSupportRequired = probe({
  id: "ERR-027",
  title: "ExtensionSupportRequiredError is -32008, HTTP 400, FAILED_PRECONDITION",
  remedy:
    "Answer a client that does not declare a required extension with -32008, HTTP 400 or FAILED_PRECONDITION, and the reason EXTENSION_SUPPORT_REQUIRED.",
  uses: { contact },
  async probe(_seen, lab) {
    const message = { ...lab.message("task") } as never;
    const talk = await lab.call(
      "SendMessage",
      { message },
      { refusable: true, edit: (headers) => headers.filter(([name]) => name.toLowerCase() !== "a2a-extensions") },
    );
    return expectNamed(talk, "ExtensionSupportRequired", { what: "SendMessage without the required extension" });
  },
});

const versionNotSupported = probe({
  id: "ERR-028",
  title: "VersionNotSupportedError is -32009, HTTP 400, FAILED_PRECONDITION",
  remedy:
    "Answer a version that the agent does not speak with -32009, HTTP 400 or FAILED_PRECONDITION, and the reason VERSION_NOT_SUPPORTED.",
  uses: { otherVersion },
  probe({ otherVersion: asked }) {
    // Whether a version is refused is for VER-005, and that a task is not there may come first (AMB-34): this is about
    // the numbers of a refusal. ListTasks may be refused for reasons of its own.
    const refused = asked.find(({ operation, talk }) => operation !== "ListTasks" && !isTaken(talk));
    if (!refused) return notApplicable("no request was refused for its version (VER-005)");
    return expectNamed(refused.talk, "VersionNotSupported", { what: `${refused.operation} in version 99.0` });
  },
});

export const mappingChecks = [
  taskNotFound,
  taskNotCancelable,
  pushNotSupported,
  unsupportedOperation,
  contentTypeNotSupported,
  extendedCardNotConfigured,
  extensionSupportRequired,
  versionNotSupported,
];
