import { type ErrorName, errorTable } from "@assay/protocol";
import { isPassing, matches } from "../../../answers/expect-error.ts";
import { describeReply, errorOf, eventsOf } from "../../../answers/reading.ts";
import type { Call } from "../../../define/call.ts";
import { activeCheck } from "../../../define/check.ts";
import { broken, holds } from "../../../define/finding.ts";
import { Obstacle } from "../../../define/obstacle.ts";
import type { Target } from "../../../define/target.ts";
import { endedTask } from "../../../observations/ended-task.ts";
import { isTaken, otherVersion } from "../../../observations/other-version.ts";
import { sentMessage } from "../../../observations/sent-message.ts";
import { unknownTask } from "../../../observations/unknown-task.ts";
import { noOthers, othersOf } from "./other-bindings.ts";

/** How a request with one fault was answered, and the error that the specification names for it. */
interface Case {
  readonly call: Call;
  readonly expected: ErrorName;
}

/** By a name that is the same on every binding. */
type Cases = ReadonlyMap<string, Case>;

export const sameErrors = activeCheck({
  id: "BIND-003",
  title: "one cause gives the same error over every binding",
  remedy: "Decide which error a request deserves before the binding writes it: one A2A error, three spellings.",
  // Not once for all: so every interface has the messages for a task of its own.
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
      // Only errors that call themselves by a name of A2A can be compared; numbers never are (AMB-01).
      const name = names.includes(expected) ? expected : names[0];
      // The one that differs is told so, and not those it differs from.
      if (name === undefined || isPassing(own) || !contradicts(own, name)) continue;
      return broken(`${what} is not answered with the same error over every binding`, {
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
  // The others have a second fault, which may be told first (AMB-34); that no version is looked at is for VER-005.
  const listed = (await target.observe(otherVersion)).find(({ operation }) => operation === "ListTasks");
  if (listed && !isTaken(listed.call))
    cases.set("ListTasks in version 99.0", { call: listed.call, expected: "VersionNotSupported" });
  try {
    const { canceled, addressed } = await target.observe(endedTask);
    cases
      .set("CancelTask on an ended task", { call: canceled, expected: "TaskNotCancelable" })
      .set("SendMessage to an ended task", { call: addressed, expected: "UnsupportedOperation" });
  } catch (error) {
    // Without an ended task there are fewer causes to compare.
    if (!(error instanceof Obstacle)) throw error;
  }
  return cases;
}

/**
 * Taken where others refuse, or refused by the name of another error. What has no name contradicts nothing but
 * not-found, whose status is its own: another verb (AMB-04), a proxy or a missing ErrorInfo are for other rules.
 */
function contradicts(call: Call, name: ErrorName): boolean {
  if (matches(call, name)) return false;
  if (call.reply.is === "result" || eventsOf(call).length > 0) return true;
  const own = nameOf(call);
  if (own !== undefined) return own !== name;
  const error = errorOf(call);
  const isNotFound = error?.grpc ? error.grpc.status === "NOT_FOUND" : isUnnamed(call) && error?.http === 404;
  return isNotFound;
}

/** Before 1.0 only JSON-RPC gives errors a name; elsewhere there is but the status. */
const isUnnamed = ({ on }: Call): boolean => on.dialect !== "1.0" && on.binding !== "JSONRPC";

/** The A2A error that an answer calls itself: by its code over JSON-RPC, elsewhere by its reason. */
function nameOf(call: Call): ErrorName | undefined {
  if (isUnnamed(call)) return undefined;
  const error = errorOf(call);
  const names = (Object.keys(errorTable) as ErrorName[]).filter((name) => {
    const { code } = errorTable[name];
    return code <= -32001 && code >= -32009;
  });
  return names.find((name) =>
    call.on.binding === "JSONRPC" ? error?.code === errorTable[name].code : error?.reason === errorTable[name].reason,
  );
}
