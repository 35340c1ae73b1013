import type { Operation } from "@assay/protocol";
import { isNamed } from "../../answers/error-names.ts";
import { isInternal, matches } from "../../answers/expect-error.ts";
import { isSend } from "../../answers/operations-of.ts";
import { answerOf, describeReply, errorOf } from "../../answers/reading.ts";
import { isPage, isUnknown, lacksCapability } from "../../answers/served.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, passiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { type AskedInVersion, isTaken, looksAtNoVersion, otherVersion } from "../../observations/other-version.ts";
import { pushConfigs } from "../../observations/push-configs.ts";
import { isSameError } from "../../observations/send-to-unknown-task.ts";
import { type SentCalls, sentCall } from "../../observations/sent-calls.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { everyOperation, isClaimed, unknownTask } from "../../observations/unknown-task.ts";
import type { BreachCode } from "../../rules/breach-codes.ts";

interface Asked {
  readonly operation: Operation;
  readonly call: Call;
}

/** Without tasks, there is nothing to get, list, cancel or subscribe to (AMB-49). */
const aboutTasks: readonly Operation[] = ["GetTask", "ListTasks", "CancelTask", "SubscribeToTask"];

/** Returns the code of a missing operation, which depends on tasks and on the name of the error. */
function codeFor({ operation, call }: Asked, makesTasks: boolean, target: Target): BreachCode {
  // 1.0.0 uses UNIMPLEMENTED for an undeclared capability; only an ErrorInfo tells it from a missing operation.
  if (call.on.binding === "GRPC" && call.on.dialect === "1.0" && !isClaimed(operation, target))
    return "unnamed-old-status";
  // Without the capability, the text names the error even for an agent without tasks (§3.3.4).
  return !makesTasks && aboutTasks.includes(operation) && isClaimed(operation, target)
    ? "task-operation-unknown"
    : "operation-not-served";
}

/** Checks that the agent knows each operation; `id` is the rule for one binding, or for all. */
const allKnown = (id: string) =>
  activeCheck(id, {
    uses: { everyOperation },
    also: { sentMessage },
    judge({ everyOperation: asked, sentMessage: seen }, target) {
      return asked.map((one): Finding => {
        if (id === "CAP-004" && isDeclined(one) && !seen?.task) return declined(one);
        if (!isMissing(one, asked, seen?.task !== undefined) || isOptional(one.operation, target)) return holds();
        const message = `the agent does not know ${one.operation}`;
        const details = answerOf(one.call, "a response, or the error of the operation");
        return breach(codeFor(one, seen?.task !== undefined, target), message, details);
      });
    },
  });

/** Without a task, a web server page shows nothing about the operation behind it. */
const isMissing = (one: Asked, asked: readonly Asked[], makesTasks: boolean): boolean =>
  isUnknown(one, asked) || (!makesTasks && !isSend(one.operation) && isPage(one.call));

/** An agent without tasks may report that it does not support an operation on them (AMB-49). */
const isDeclined = ({ operation, call }: Asked): boolean =>
  ["GetTask", "ListTasks", "CancelTask"].includes(operation) && isNamed(call, "UnsupportedOperation");

const declined = ({ operation, call }: Asked): Finding =>
  breach(
    "task-operation-unsupported",
    `the agent creates no tasks and does not support ${operation}`,
    answerOf(call, operation === "ListTasks" ? "an empty list" : "TaskNotFoundError"),
  );

/** Before 1.0, undeclared operations may be missing. */
export const isOptional = (operation: Operation, target: Target): boolean =>
  target.on.dialect !== "1.0" && !isClaimed(operation, target);

/** Checks that no operation of a declared capability is missing. */
function judgeClaimed(
  asked: readonly Asked[],
  all: SentCalls<Asked>,
  {
    isNeedless = () => false,
    isRefused = () => false,
  }: { isNeedless?: (one: Asked) => boolean; isRefused?: (one: Asked) => boolean },
): Finding[] {
  if (asked.length === 0 && all.unsent) throw all.unsent;
  return asked.map((one): Finding => {
    if (!isUnknown(one, all) && !lacksCapability(one.operation, one.call) && !isRefused(one)) return holds();
    const code = isNeedless(one) ? "task-operation-unknown" : "operation-not-served";
    return breach(
      code,
      `the agent does not serve ${one.operation}, although the card declares it`,
      answerOf(one.call, "a response, or TaskNotFoundError"),
    );
  });
}

const isAlike = (call: Call, plain: Call | undefined): boolean =>
  plain !== undefined && isNamed(call, "UnsupportedOperation") && isSameError(call, plain);

/** The same error without a stream says nothing about streaming. */
const plainly: Partial<Record<Operation, Operation>> = {
  SendStreamingMessage: "SendMessage",
  SubscribeToTask: "GetTask",
};

const streamingIsServed = activeCheck("CAP-002", {
  uses: { unknownTask },
  also: { sentMessage },
  judge({ unknownTask: asked, sentMessage: seen }) {
    // Without tasks, there is nothing to subscribe to.
    const isNeedless = ({ operation }: Asked): boolean =>
      operation === "SubscribeToTask" && seen !== undefined && !seen.task;
    const streams = asked.filter(({ operation }) => operation in plainly);
    const shown = streams.filter(
      ({ operation, call }) => !isAlike(call, asked.find((plain) => plain.operation === plainly[operation])?.call),
    );
    if (streams.length > 0 && shown.length === 0)
      return notExamined("not-triggered", "the agent refuses the same requests without a stream, too");
    return judgeClaimed(shown, asked, { isNeedless });
  },
});

const pushIsServed = activeCheck("CAP-003", {
  // Needs no working task, because an unknown one shows as much.
  requires: ["pushNotifications"],
  uses: { unknownTask },
  also: { pushConfigs },
  judge({ unknownTask: asked, pushConfigs: made }) {
    const push = asked.filter(({ operation }) => operation.includes("Push"));
    // If all push operations fail and no configuration is created, the agent does not serve them.
    const isRefusedAlways = made === undefined && push.length > 1 && push.every(({ call }) => isRefusedWhole(call));
    return judgeClaimed(push, asked, { isRefused: () => isRefusedAlways });
  },
});

/** Recognises a refusal that does not depend on the task. */
const isRefusedWhole = (call: Call): boolean =>
  call.on.dialect === "1.0" && (isNamed(call, "UnsupportedOperation") || isInternal(call));

/** The first call shows if the service exists. If it does not, this failure blocks all other rules. */
const theService = passiveCheck("GRPC-001", {
  judge(call) {
    if (call.operation !== "GetTask" || !call.fair || call.reply.is === "failure" || call.reply.is === "malformed")
      return undefined;
    if (!isUnknown({ operation: "GetTask", call })) return holds();
    const method = `${call.on.dialect === "1.0" ? "lf.a2a.v1" : "a2a.v1"}.A2AService/GetTask`;
    return breach(
      "operation-not-served",
      `the agent does not implement ${method}`,
      answerOf(call, `a response of ${method}`),
    );
  },
});

export const knownChecks = [
  streamingIsServed,
  pushIsServed,
  allKnown("CAP-004"),
  allKnown("JSONRPC-005"),
  allKnown("GRPC-002"),
  theService,
];

const core = ["SendMessage", "GetTask", "CancelTask"];

export const knowsCoreMethods = activeCheck("V03-CAP-001", {
  uses: { unknownTask },
  judge({ unknownTask: asked }) {
    return asked
      .filter(({ operation }) => core.includes(operation))
      .map((one): Finding => {
        if (!isUnknown(one, asked)) return holds();
        return breach(
          "operation-not-served",
          `the agent does not know ${one.operation}`,
          answerOf(one.call, "a response, or TaskNotFoundError"),
        );
      });
  },
});

/**
 * Every agent must read the version. VER-005 judges an interface that ignores it everywhere; this rule judges single
 * calls that ignore it. Only ListTasks has no other fault: "task not found" may come before or after a version error
 * (AMB-34).
 */
const readsHeaders = (id: string) =>
  activeCheck(id, {
    uses: { otherVersion },
    judge({ otherVersion: asked }) {
      if (looksAtNoVersion(asked)) return notApplicable("the interface ignores the version (VER-005)");
      const list = sentCall(asked, ({ operation }) => operation === "ListTasks")!.call;
      if (!isTaken(list))
        return asked.some(isRefused)
          ? holds()
          : notExamined("not-triggered", `ListTasks fails: ${describeReply(list)}`);
      return broken(
        "ListTasks in version 99.0 succeeds, although other calls return a version error",
        answerOf(list, "VersionNotSupportedError"),
      );
    },
  });

/** ERR-028 judges the error; ListTasks may be refused for other reasons. */
const isRefused = ({ operation, call }: AskedInVersion): boolean =>
  matches(call, "VersionNotSupported") !== undefined ||
  (operation !== "ListTasks" && errorOf(call) !== undefined && !isTaken(call));

export const serviceParameterChecks = ["JSONRPC-021", "REST-016", "GRPC-005"].map(readsHeaders);
