import { isStreaming, type Operation, versionHeader } from "@assay/protocol";
import { namedVersion } from "@assay/wire";
import { expectError, isInternal, isRefusal, matches } from "../../answers/expect-error.ts";
import { isSend } from "../../answers/operations-of.ts";
import { answerOf, describeReply, errorOf, eventsOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { HttpChange, Target } from "../../define/target.ts";
import {
  askAgain,
  type ControlCall,
  controlCall,
  inVersionOf,
  isServed,
  withVersion,
} from "../../observations/other-version.ts";
import { type SentMessage, sentMessage } from "../../observations/sent-message.ts";
import { ask, isClaimed, paramsFor } from "../../observations/unknown-task.ts";

const inVersion = (target: Target, plain: ControlCall, version: string | undefined): Promise<Call> =>
  askAgain(target, plain, {
    edit: withVersion(version),
    fair: false,
    share: inVersionOf(version, plain.params),
  });

/** Returns true if a call in an unknown version succeeds. */
const takesAnything = async (target: Target, plain: ControlCall): Promise<boolean> =>
  plain.control.reply.is === "result" && (await inVersion(target, plain, "99.0")).reply.is === "result";

const declares = ({ facts }: Target, version: string): boolean =>
  facts.declared.some(({ dialect }) => dialect === version);

/**
 * Returns the finding for a call that shows nothing, because the agent refuses it in every version for the same reason.
 */
const refusedAnyway = ({ operation, control: { on } }: ControlCall): Finding =>
  notExamined("not-triggered", `the agent refuses ${operation} in version ${namedVersion(on)} too`);

const isVersionError = (call: Call): boolean => matches(call, "VersionNotSupported") !== undefined;

/** Reads an existing task if lists are refused. */
const readingOf = ({ last, got }: SentMessage): ControlCall | undefined =>
  last && got ? { operation: "GetTask", params: { id: last.id }, control: got } : undefined;

export const refusesOtherVersions = activeCheck("VER-005", {
  uses: { controlCall },
  also: { sentMessage },
  async judge({ controlCall: control, sentMessage: sent }, target) {
    const plain = (errorOf(control.control) && sent && readingOf(sent)) || control;
    const findings: Finding[] = [];
    for (const version of ["99.0", "0.1"].filter((each) => !declares(target, each))) {
      const call = await inVersion(target, plain, version);
      if (plain.control.reply.is !== "result" && isServed(plain, call) && !isVersionError(call)) {
        findings.push(refusedAnyway(plain));
        continue;
      }
      findings.push(expectError(call, "VersionNotSupported", { what: `${plain.operation} in version ${version}` }));
    }
    return findings;
  },
});

/** A request without a version means 0.3: the agent refuses it, or handles it as 0.3 (§3.6.2). */
async function asOldest(target: Target, plain: ControlCall, version: "" | undefined, what: string): Promise<Finding> {
  const other = await inVersion(target, plain, "99.0");
  if (plain.control.reply.is === "result" && other.reply.is === "result")
    return notApplicable("the agent ignores the version (VER-005)");
  if (plain.control.reply.is !== "result" && isServed(plain, other) && !isVersionError(other))
    return refusedAnyway(plain);
  const call = await inVersion(target, plain, version);
  const saw = describeReply(call);
  const details = { saw, want: "VersionNotSupportedError, or the behaviour of 0.3", at: call };
  if (isServed(plain, call)) return breach("served-as-1.0", `the agent handles a request with ${what} as 1.0`, details);
  if (isInternal(call) || call.reply.is === "failure")
    return crashed(`a request with ${what} causes an internal error or no response`, details);
  if (isVersionError(call) || declares(target, "0.3")) return holds();
  return isRefusal(call)
    ? breach("other-reason", `a request with ${what} returns an error that is not about the version`, details)
    : broken(`a request with ${what} returns ${saw}`, details);
}

export const emptyMeansOldest = activeCheck("VER-007", {
  uses: { controlCall },
  judge: ({ controlCall: plain }, target) => asOldest(target, plain, "", "an empty A2A-Version"),
});

export const missingMeansOldest = activeCheck("VER-008", {
  uses: { controlCall },
  judge: ({ controlCall: plain }, target) => asOldest(target, plain, undefined, "no A2A-Version"),
});

export const patchDoesNotMatter = activeCheck("VER-010", {
  uses: { controlCall },
  async judge({ controlCall: plain }, target) {
    const version = namedVersion(plain.control.on);
    const patched = `${version}.7`;
    const call = await inVersion(target, plain, patched);
    if (isServed(plain, call)) return holds();
    const details = answerOf(call, `the response to a ${version} request`);
    if (isInternal(call) || call.reply.is === "failure")
      return crashed(`A2A-Version ${patched} causes an internal error or no response`, details);
    if (isVersionError(call))
      return breach("patch-number-refused", `the agent refuses A2A-Version ${patched}`, details);
    return broken(`the agent does not treat A2A-Version ${patched} as ${version}`, details);
  },
});

export const minorMatters = activeCheck("VER-011", {
  uses: { controlCall },
  async judge({ controlCall: plain }, target) {
    if (await takesAnything(target, plain)) return notApplicable("the agent ignores the version (VER-005)");
    const call = await inVersion(target, plain, "1.99");
    if (isServed(plain, call) && !isVersionError(call)) {
      if (plain.control.reply.is !== "result") return refusedAnyway(plain);
      return breach(
        "other-minor-served",
        "a request for version 1.99 succeeds",
        answerOf(call, "VersionNotSupportedError"),
      );
    }
    // VER-005 judges the numbers of the error.
    if (isVersionError(call)) return holds();
    return expectError(call, "VersionNotSupported", { what: `${plain.operation} in version 1.99` });
  },
});

/** Operations that succeed with Assay's parameters, so the version is their only fault. */
const faultless: ReadonlySet<Operation> = new Set(["ListTasks", "SendMessage", "SendStreamingMessage"]);

export const everyOperationLooks = activeCheck("VER-013", {
  uses: { controlCall, sentMessage },
  async judge({ controlCall: plain, sentMessage: { last } }, target) {
    if (await takesAnything(target, plain)) return notApplicable("the agent ignores the version (VER-005)");
    // Operations that would be messages come last.
    const operations: readonly Operation[] = [
      plain.operation,
      "GetTask",
      "CancelTask",
      "SubscribeToTask",
      "CreateTaskPushNotificationConfig",
      "GetTaskPushNotificationConfig",
      "ListTaskPushNotificationConfigs",
      "DeleteTaskPushNotificationConfig",
      "GetExtendedAgentCard",
      "SendStreamingMessage",
      "SendMessage",
    ];
    for (const operation of operations.filter((each) => isClaimed(each, target))) {
      const finding = await judged(target, operation, last?.id);
      if (finding) return finding;
    }
    return holds();
  },
});

async function judged(target: Target, operation: Operation, taskId: string | undefined): Promise<Finding | undefined> {
  const params = known(target, operation, taskId);
  const call = await ask(target, operation, params, {
    edit: withVersion("99.0"),
    fair: false,
    ...(!isStreaming(operation) && !isSend(operation) && { share: inVersionOf("99.0", params) }),
  });
  if (isVersionError(call)) return undefined;
  const what = `${operation} in version 99.0`;
  const isTaken = call.reply.is === "result" || eventsOf(call).length > 0;
  // If the task or the credentials may be missing, any fitting error counts (AMB-34).
  if (!isTaken && !faultless.has(operation) && isRefusal(call)) return undefined;
  return expectError(call, "VersionNotSupported", { what });
}

/** Returns the parameters for an unknown task, with an existing one if known. */
function known(target: Target, operation: Operation, taskId: string | undefined) {
  const params = paramsFor(target, operation);
  if (operation === "SendMessage" || (isStreaming(operation) && operation !== "SubscribeToTask"))
    // Assay's messages are JSON.
    return { message: target.message("task") as unknown as typeof params };
  if (taskId === undefined) return params;
  if ("taskId" in params) return { ...params, taskId };
  return "id" in params ? { ...params, id: taskId } : params;
}

/** The next minor version. An agent that serves it, but no other unknown one, supports more than its card says. */
const next = "1.1";

async function judge(plain: ControlCall, target: Target): Promise<Finding> {
  if (plain.control.reply.is !== "result") return refusedAnyway(plain);
  const call = await inVersion(target, plain, next);
  if (!isServed(plain, call)) return holds();
  if (isServed(plain, await inVersion(target, plain, "1.99")))
    return notApplicable("the agent does not distinguish minor versions (VER-011)");
  if (target.facts.declared.some(({ later }) => later === next)) return holds();
  return breach("other-minor-served", `the agent serves version ${next}, but the card does not declare it`, {
    saw: describeReply(call),
    want: `protocolVersion ${next} on the card`,
    at: [call, plain.control],
  });
}

/** Two rules about the same fact: one about the card, one about the version of an interface. */
export const newestMinor: readonly Check[] = ["CARD-042", "VER-019"].map((id) =>
  activeCheck(id, {
    uses: { controlCall },
    judge: ({ controlCall: plain }, target) => judge(plain, target),
  }),
);

const isRefused = (call: Call): boolean => matches(call, "VersionNotSupported") !== undefined;

export const nameInAnyCase = activeCheck("VER-014", {
  // Over gRPC, all header names are lower-case.
  bindings: ["JSONRPC", "HTTP+JSON"],
  uses: { controlCall },
  async judge({ controlCall: plain }, target) {
    const refusesOthers = isRefused(await inVersion(target, plain, "99.0"));
    for (const name of ["a2a-version", "A2A-VERSION"]) {
      const right = await spelled(target, plain, name, namedVersion(plain.control.on));
      if (!isServed(plain, right))
        return broken(
          `the agent does not find the version in a header spelled ${name}`,
          answerOf(right, "the same response for any spelling of the header"),
        );
      if (!refusesOthers) continue;
      const wrong = await spelled(target, plain, name, "99.0");
      if (isServed(plain, wrong) && !isRefused(wrong))
        return broken(
          `the agent refuses version 99.0, but not in a header spelled ${name}`,
          answerOf(wrong, "VersionNotSupportedError for any spelling of the header"),
        );
    }
    return holds();
  },
});

const spelled = (target: Target, plain: ControlCall, name: string, version: string): Promise<Call> =>
  askAgain(target, plain, {
    edit: (headers) => [...withVersion(undefined)(headers), [name, version]],
    // Only this rule judges an agent that does not find the version.
    fair: false,
  });

export const readsParameter = activeCheck("VER-004", {
  uses: { controlCall },
  async judge({ controlCall: plain }, target) {
    const right = await target.http(plain.operation, plain.params, inQuery(namedVersion(plain.control.on)));
    if (!isServed(plain, right))
      return broken(
        "the agent does not find the version in the query parameter A2A-Version",
        answerOf(right, "the response to the same request with the header"),
      );
    const wrong = await target.http(plain.operation, plain.params, inQuery("99.0"));
    if (isRefused(wrong)) return holds();
    if (await takesAnything(target, plain)) return notApplicable("the agent ignores the version (VER-005)");
    if (plain.control.reply.is !== "result") return refusedAnyway(plain);
    return broken(
      "the agent ignores the query parameter A2A-Version",
      answerOf(wrong, "VersionNotSupportedError for A2A-Version=99.0"),
    );
  },
});

const inQuery =
  (version: string): HttpChange =>
  (request) => ({
    ...request,
    url: `${request.url}${request.url.includes("?") ? "&" : "?"}${versionHeader}=${version}`,
    headers: withVersion(undefined)(request.headers),
  });
