import type { Operation } from "@assay/protocol";
import { isStreaming } from "@assay/protocol";
import { probe } from "../../check.ts";
import { expectError, isInternal, isRefusal, matches } from "../../expect-error.ts";
import { broken, crashed, type Finding, holds, notApplicable, notExamined, odd, tolerated } from "../../finding.ts";
import type { Lab } from "../../lab.ts";
import { askAgain, type Carrier, carrier, isServed } from "../../observations/carrier.ts";
import { withVersion } from "../../observations/other-version.ts";
import { settled } from "../../observations/settled.ts";
import { ask, isClaimed, paramsFor } from "../../observations/unknown-task.ts";
import { describeReply, errorOf, eventsOf } from "../../reading.ts";
import type { Talk } from "../../talk.ts";

const inVersion = (lab: Lab, plain: Carrier, version: string | undefined): Promise<Talk> =>
  askAgain(lab, plain, { edit: withVersion(version), fair: false });

/** A call in a version that nobody has is answered as any other. */
const takesAnything = async (lab: Lab, plain: Carrier): Promise<boolean> =>
  plain.control.reply.is === "result" && (await inVersion(lab, plain, "99.0")).reply.is === "result";

const declares = ({ facts }: Lab, version: string): boolean =>
  facts.declared.some(({ dialect }) => dialect === version);

const isVersionError = (talk: Talk): boolean => matches(talk, "VersionNotSupported") !== undefined;

export const refusesOtherVersions = probe({
  id: "VER-005",
  title: "a version that the interface does not speak is refused",
  remedy:
    "Compare A2A-Version with the versions of the interface before anything else, and answer VersionNotSupportedError.",
  uses: { carrier },
  async probe({ carrier: plain }, lab) {
    for (const version of ["99.0", "0.1"].filter((each) => !declares(lab, each))) {
      const talk = await inVersion(lab, plain, version);
      // Refused before and after for the same reason: nothing can be told.
      if (errorOf(plain.control) && isServed(plain, talk) && !isVersionError(talk))
        return notExamined("no-occasion", `${plain.operation} is refused in version 1.0 as well`);
      const finding = expectError(talk, "VersionNotSupported", { what: `${plain.operation} in version ${version}` });
      if (finding.is !== "holds") return finding;
    }
    return holds();
  },
});

/** Without a version a request is one for 0.3: refused, or understood as 0.3 where that is spoken (§3.6.2). */
async function asOldest(lab: Lab, plain: Carrier, version: "" | undefined, what: string): Promise<Finding> {
  if (await takesAnything(lab, plain)) return notApplicable("the agent looks at no version at all (VER-005)");
  const talk = await inVersion(lab, plain, version);
  const saw = describeReply(talk);
  const details = { saw, want: "VersionNotSupportedError, or the behaviour of 0.3", at: talk };
  if (isServed(plain, talk)) return tolerated("AMB-10", `a request with ${what} is served as one for 1.0`, details);
  if (isInternal(talk) || talk.reply.is === "failure")
    return crashed(`a request with ${what} makes the agent break down`, details);
  if (isVersionError(talk) || declares(lab, "0.3")) return holds();
  return isRefusal(talk)
    ? odd(`a request with ${what} is refused, but not for its version`, details)
    : broken(`a request with ${what} is answered with ${saw}`, details);
}

export const emptyMeansOldest = probe({
  id: "VER-007",
  title: "an empty A2A-Version means 0.3",
  remedy: "Take an empty A2A-Version for 0.3, and answer VersionNotSupportedError where 0.3 is not spoken.",
  uses: { carrier },
  probe: ({ carrier: plain }, lab) => asOldest(lab, plain, "", "an empty A2A-Version"),
});

export const missingMeansOldest = probe({
  id: "VER-008",
  title: "a missing A2A-Version means 0.3",
  remedy:
    "Take a request without A2A-Version for one of 0.3, and answer VersionNotSupportedError where 0.3 is not spoken.",
  uses: { carrier },
  probe: ({ carrier: plain }, lab) => asOldest(lab, plain, undefined, "no A2A-Version"),
});

export const patchDoesNotMatter = probe({
  id: "VER-010",
  title: "patch numbers play no part",
  remedy: "Compare major and minor of A2A-Version and ignore what follows: 1.0.7 is 1.0.",
  uses: { carrier },
  async probe({ carrier: plain }, lab) {
    const talk = await inVersion(lab, plain, "1.0.7");
    if (isServed(plain, talk)) return holds();
    const details = { saw: describeReply(talk), want: "the answer to a request for 1.0", at: talk };
    if (isInternal(talk) || talk.reply.is === "failure")
      return crashed("A2A-Version 1.0.7 makes the agent break down", details);
    // The header's own format has no patch number, so refusing one is no more than worth a remark (AMB-11).
    if (isVersionError(talk) && !lab.strict) return holds("A2A-Version 1.0.7 is refused", talk);
    return broken("A2A-Version 1.0.7 is not taken for 1.0", details);
  },
});

export const minorMatters = probe({
  id: "VER-011",
  title: "a minor version that the interface does not declare is refused",
  remedy: "Compare A2A-Version by major and minor, not by the major alone.",
  uses: { carrier },
  async probe({ carrier: plain }, lab) {
    if (await takesAnything(lab, plain)) return notApplicable("the agent looks at no version at all (VER-005)");
    const talk = await inVersion(lab, plain, "1.99");
    if (isServed(plain, talk) && !isVersionError(talk)) {
      if (errorOf(plain.control))
        return notExamined("no-occasion", `${plain.operation} is refused in version 1.0 as well`);
      return tolerated("AMB-11", "a request for version 1.99 is served", {
        saw: describeReply(talk),
        want: "VersionNotSupportedError",
        at: talk,
      });
    }
    // With which numbers it is refused, VER-005 says.
    if (isVersionError(talk)) return holds();
    return expectError(talk, "VersionNotSupported", { what: `${plain.operation} in version 1.99` });
  },
});

/** Operations that we know to succeed with what we send: their only fault is the version. */
const faultless: ReadonlySet<Operation> = new Set(["ListTasks", "SendMessage", "SendStreamingMessage"]);

export const everyOperationLooks = probe({
  id: "VER-013",
  title: "every operation looks at the version",
  remedy: "Check A2A-Version in one place that all operations pass, streams and push configurations included.",
  uses: { carrier, settled },
  async probe({ carrier: plain, settled: { last } }, lab) {
    if (await takesAnything(lab, plain)) return notApplicable("the agent looks at no version at all (VER-005)");
    // Those that would make work come last.
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
    for (const operation of operations.filter((each) => isClaimed(each, lab))) {
      const finding = await judged(lab, operation, last?.id);
      if (finding) return finding;
    }
    return holds();
  },
});

async function judged(lab: Lab, operation: Operation, taskId: string | undefined): Promise<Finding | undefined> {
  const talk = await ask(lab, operation, known(lab, operation, taskId), { edit: withVersion("99.0"), fair: false });
  if (isVersionError(talk)) return undefined;
  const what = `${operation} in version 99.0`;
  const isTaken = talk.reply.is === "result" || eventsOf(talk).length > 0;
  // Where the task may be gone, or a login be missing, any error that fits will do (AMB-34).
  if (!isTaken && !faultless.has(operation) && isRefusal(talk)) return undefined;
  return expectError(talk, "VersionNotSupported", { what });
}

/** The same parameters as for a task that nobody has, with one that exists where we know it. */
function known(lab: Lab, operation: Operation, taskId: string | undefined) {
  const params = paramsFor(lab, operation);
  if (operation === "SendMessage" || (isStreaming(operation) && operation !== "SubscribeToTask"))
    // A message of ours is JSON.
    return { message: lab.message("task") as unknown as typeof params };
  if (taskId === undefined) return params;
  if ("taskId" in params) return { ...params, taskId };
  return "id" in params ? { ...params, id: taskId } : params;
}
