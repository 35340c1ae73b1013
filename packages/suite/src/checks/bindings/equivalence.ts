import { a2aErrors, type ErrorName, errorTable } from "@assay/protocol";
import { isPassing, matches } from "../../answers/expect-error.ts";
import { hasOperation } from "../../answers/operations-of.ts";
import { describeReply, errorOf, eventsOf } from "../../answers/reading.ts";
import { isUnknown } from "../../answers/served.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check, cardCheck } from "../../define/check.ts";
import { breach, broken, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { endedTask } from "../../observations/ended-task.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { isTaken, otherVersion } from "../../observations/other-version.ts";
import { ifMade } from "../../observations/sent-calls.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { everyOperation, unknownTask } from "../../observations/unknown-task.ts";
import { linted } from "../card/lint.ts";
import { isOptional } from "./operations-known.ts";
import { noOthers, othersOf, sameData, sameStreams, sameTasks } from "./same-data.ts";

const sameOperations = activeCheck("BIND-001", {
  uses: { everyOperation },
  once: true,
  async judge({ everyOperation: here }, target) {
    const others = othersOf(target);
    if (others.length === 0) return noOthers;
    const all = [{ target, asked: here }];
    for (const other of others) all.push({ target: other, asked: await other.observe(everyOperation) });
    for (const { operation } of here) {
      const calls = all.flatMap(({ target: each, asked }) => {
        const call = asked.find((one) => one.operation === operation)?.call;
        return call ? [{ binding: each.on.binding, call, asked }] : [];
      });
      // An operation that could not be sent over one binding cannot be compared.
      if (isOptional(operation, target) || calls.length < all.length) continue;
      const without = calls.filter(({ call, asked }) => isUnknown({ operation, call }, asked));
      if (without.length === 0 || without.length === calls.length) continue;
      return breach("operation-not-served", `not every binding serves ${operation}`, {
        saw: `unknown over ${without.map(({ binding }) => binding).join(" and ")}`,
        want: "the same operations over every binding",
        at: without.map(({ call }) => call),
      });
    }
    const unsent = all.map(({ asked }) => asked.unsent).find((each) => each !== undefined);
    if (unsent) throw unsent;
    return holds();
  },
});

/** The response to a request with one fault, and the error that the specification names for it. */
interface Case {
  readonly call: Call;
  readonly expected: ErrorName;
}

/** Cases by a name that is the same on every binding. */
type Cases = ReadonlyMap<string, Case>;

const sameErrors = activeCheck("BIND-003", {
  // Runs per interface, so that each has the messages for its own task.
  uses: { unknownTask, otherVersion, sentMessage },
  async judge(_seen, target) {
    const others = othersOf(target);
    if (others.length === 0) return noOthers;
    const places = [];
    for (const each of [target, ...others]) places.push({ on: each.on.binding, cases: await casesOn(each) });
    for (const [what, { call: own, expected }] of places[0]!.cases) {
      const calls = places.flatMap(({ on, cases }) => {
        const call = cases.get(what)?.call;
        return call && !isPassing(call) ? [{ on, call }] : [];
      });
      const names = calls.flatMap(({ call }) => nameOf(call) ?? []);
      // Only errors with an A2A name can be compared; numbers cannot (AMB-01).
      const name = names.includes(expected) ? expected : names[0];
      // Reports the binding that differs, not the others.
      if (name === undefined || isPassing(own) || !contradicts(own, name)) continue;
      return broken(`${what} returns different errors over different bindings`, {
        saw: calls.map(({ on, call }) => `${on}: ${describeReply(call)}`).join("; "),
        want: `${name} over each`,
        at: calls.map(({ call }) => call),
      });
    }
    return holds();
  },
});

async function casesOn(target: Target): Promise<Cases> {
  const cases = new Map<string, Case>();
  for (const { operation, call } of await target.observe(unknownTask))
    cases.set(`${operation} on an unknown task`, { call, expected: "TaskNotFound" });
  // Other operations have a second fault that may come first (AMB-34); VER-005 judges an ignored version.
  const listed = (await target.observe(otherVersion)).find(({ operation }) => operation === "ListTasks");
  if (listed && !isTaken(listed.call))
    cases.set("ListTasks in version 99.0", { call: listed.call, expected: "VersionNotSupported" });
  // Without an ended task, there are fewer cases to compare.
  const ended = await ifMade(target.observe(endedTask));
  if (ended)
    cases
      .set("CancelTask on an ended task", { call: ended.canceled, expected: "TaskNotCancelable" })
      .set("SendMessage to an ended task", { call: ended.addressed, expected: "UnsupportedOperation" });
  return cases;
}

/**
 * Returns true if a call succeeds where others are refused, or is refused with another named error. An unnamed error
 * contradicts only "not found", whose status is unique; other rules judge another verb (AMB-04), a proxy or a missing
 * ErrorInfo.
 */
function contradicts(call: Call, name: ErrorName): boolean {
  if (matches(call, name)) return false;
  if (call.reply.is === "result" || eventsOf(call).length > 0) return true;
  const own = nameOf(call);
  if (own !== undefined) return own !== name;
  const error = errorOf(call);
  return error?.grpc ? error.grpc.status === "NOT_FOUND" : isUnnamed(call) && error?.http === 404;
}

/** Before 1.0, only JSON-RPC names errors; other bindings have only a status. */
const isUnnamed = ({ on }: Call): boolean => on.dialect !== "1.0" && on.binding !== "JSONRPC";

/** Returns the A2A name of an error: by its code over JSON-RPC, by its reason elsewhere. */
function nameOf(call: Call): ErrorName | undefined {
  if (isUnnamed(call)) return undefined;
  const error = errorOf(call);
  return a2aErrors.find((name) =>
    call.on.binding === "JSONRPC" ? error?.code === errorTable[name].code : error?.reason === errorTable[name].reason,
  );
}

const sameLogin = activeCheck("BIND-004", {
  requires: ["multiBinding", "securityRequirements", "credentials"],
  uses: { firstContact },
  once: true,
  async judge(_seen, target) {
    const others = othersOf(target);
    if (others.length === 0) return noOthers;
    const places = [target, ...others];
    // Contacts each interface with credentials first. An interface that refuses them is unreachable, and reports that
    // itself.
    for (const other of others) await other.observe(firstContact);
    const anonymous = [];
    for (const place of places) {
      const call = await asked(place.as("anonymous"));
      if (call) anonymous.push({ on: place.on.binding, call });
    }
    const refused = anonymous.filter(({ call }) => isTurnedAway(call));
    if (refused.length === 0) return notApplicable("no binding requires credentials");
    // An agent that looks for the task has accepted the caller.
    const open = anonymous.filter(({ call }) => call.reply.is === "result" || matches(call, "TaskNotFound"));
    if (open.length === 0) return holds();
    return broken("one binding requires credentials and another does not", {
      saw: anonymous.map(({ on, call }) => `${on}: ${describeReply(call)}`).join("; "),
      want: "the same authentication over every binding",
      at: open.map(({ call }) => call),
    });
  },
});

/** Makes a call that is not a message and that every caller may make. */
const asked = async (target: Target | undefined): Promise<Call | undefined> =>
  target && hasOperation(target.on, "ListTasks")
    ? target.call("ListTasks", { pageSize: 1 })
    : target?.call("GetTask", { id: target.unknownId() });

/** Recognises a refusal for missing credentials; JSON-RPC has no number for it (AMB-33). */
function isTurnedAway(call: Call): boolean {
  const status = call.exchange.http.response?.status;
  const error = errorOf(call);
  if (call.shutOut) return true;
  if (status === 401 || status === 403 || error?.grpc?.status === "UNAUTHENTICATED") return true;
  if (error?.grpc?.status === "PERMISSION_DENIED") return true;
  const code = call.on.binding === "JSONRPC" ? error?.code : undefined;
  return code !== undefined && !(code >= -32099 && code <= -32001) && !(code >= -32700 && code <= -32600);
}

const customBindings = cardCheck("BIND-009", {
  judge(card) {
    const findings = linted(card, "BIND-009", "an absolute URI as protocolBinding, and an absolute url");
    return findings.length ? findings : holds();
  },
});

const standard: readonly string[] = ["JSONRPC", "HTTP+JSON", "GRPC"];

const claimsOnlyStreamsItHas = cardCheck("BIND-015", {
  judge({ facts: { declared, streaming }, expectations = {}, exchange }) {
    // One binding that can stream is enough; custom bindings have their own specification.
    if (!streaming || declared.some(({ binding }) => standard.includes(binding))) return holds();
    const { silentBindings } = expectations;
    if (!silentBindings) {
      const because = "Assay does not know whether the agent's custom bindings can stream";
      return notExamined("prompt", because, "expectations.silentBindings in assay.yaml");
    }
    if (declared.some(({ binding }) => !silentBindings.includes(binding))) return holds();
    return broken("the card declares streaming, but none of its bindings can stream", {
      saw: `capabilities.streaming: true with ${declared.map(({ binding }) => binding).join(", ")}`,
      want: "capabilities.streaming: false",
      at: exchange,
    });
  },
});

/** The checks of BIND rules, and that of DATA-030, which compares bindings too. */
export const equivalenceChecks: readonly Check[] = [
  sameOperations,
  sameTasks,
  sameErrors,
  sameLogin,
  sameStreams,
  sameData,
  customBindings,
  claimsOnlyStreamsItHas,
];
