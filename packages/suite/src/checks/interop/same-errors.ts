import { type ErrorName, errorTable } from "@assay/protocol";
import { probe } from "../../check.ts";
import { isPassing, matches } from "../../expect-error.ts";
import { broken, holds } from "../../finding.ts";
import type { Lab } from "../../lab.ts";
import { endedTask } from "../../observations/ended-task.ts";
import { isTaken, otherVersion } from "../../observations/other-version.ts";
import { settled } from "../../observations/settled.ts";
import { unknownTask } from "../../observations/unknown-task.ts";
import { Obstacle } from "../../obstacle.ts";
import { describeReply, errorOf, eventsOf } from "../../reading.ts";
import type { Talk } from "../../talk.ts";
import { noOthers, othersOf } from "./others.ts";

/** How a request with one fault was answered, and the error that the specification names for it. */
interface Case {
  readonly talk: Talk;
  readonly expected: ErrorName;
}

/** By a name that is the same on every binding. */
type Cases = ReadonlyMap<string, Case>;

export const sameErrors = probe({
  id: "BIND-003",
  title: "one cause gives the same error over every binding",
  remedy: "Decide which error a request deserves before the binding writes it: one A2A error, three spellings.",
  // Not once for all: so every interface has the messages for a task of its own.
  uses: { unknownTask, otherVersion, settled },
  async probe(_seen, lab) {
    const others = othersOf(lab);
    if (others.length === 0) return noOthers;
    const places = [];
    for (const each of [lab, ...others]) places.push({ on: each.on.binding, cases: await casesOn(each) });
    for (const [what, { talk: own, expected }] of places[0]!.cases) {
      const talks = places.flatMap(({ on, cases }) => {
        const talk = cases.get(what)?.talk;
        return talk && !isPassing(talk) ? [{ on, talk }] : [];
      });
      const names = talks.flatMap(({ talk }) => nameOf(talk) ?? []);
      // Only errors that call themselves by a name of A2A can be compared; numbers never are (AMB-01).
      const name = names.includes(expected) ? expected : names[0];
      // The one that differs is told so, and not those it differs from.
      if (name === undefined || isPassing(own) || !contradicts(own, name)) continue;
      return broken(`${what} is not answered with the same error over every binding`, {
        saw: talks.map(({ on, talk }) => `${on}: ${describeReply(talk)}`).join("; "),
        want: `${name} over each`,
        at: talks.map(({ talk }) => talk),
      });
    }
    return holds();
  },
});

async function casesOn(lab: Lab): Promise<Cases> {
  const cases = new Map<string, Case>();
  for (const { operation, talk } of await lab.observe(unknownTask))
    cases.set(`${operation} on an unknown task`, { talk, expected: "TaskNotFound" });
  // The others have a second fault, which may be told first (AMB-34); that no version is looked at is for VER-005.
  const listed = (await lab.observe(otherVersion)).find(({ operation }) => operation === "ListTasks");
  if (listed && !isTaken(listed.talk))
    cases.set("ListTasks in version 99.0", { talk: listed.talk, expected: "VersionNotSupported" });
  try {
    const { canceled, addressed, kept } = await lab.observe(endedTask);
    if (kept)
      cases
        .set("CancelTask on an ended task", { talk: canceled, expected: "TaskNotCancelable" })
        .set("SendMessage to an ended task", { talk: addressed, expected: "UnsupportedOperation" });
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
function contradicts(talk: Talk, name: ErrorName): boolean {
  if (matches(talk, name)) return false;
  if (talk.reply.is === "result" || eventsOf(talk).length > 0) return true;
  const own = nameOf(talk);
  if (own !== undefined) return own !== name;
  const error = errorOf(talk);
  const isNotFound = error?.grpc ? error.grpc.status === "NOT_FOUND" : isUnnamed(talk) && error?.http === 404;
  return isNotFound;
}

/** Before 1.0 only JSON-RPC gives errors a name; elsewhere there is but the status. */
const isUnnamed = ({ on }: Talk): boolean => on.dialect !== "1.0" && on.binding !== "JSONRPC";

/** The A2A error that an answer calls itself: by its code over JSON-RPC, elsewhere by its reason. */
function nameOf(talk: Talk): ErrorName | undefined {
  if (isUnnamed(talk)) return undefined;
  const error = errorOf(talk);
  const names = (Object.keys(errorTable) as ErrorName[]).filter((name) => {
    const { code } = errorTable[name];
    return code <= -32001 && code >= -32009;
  });
  return names.find((name) =>
    talk.on.binding === "JSONRPC" ? error?.code === errorTable[name].code : error?.reason === errorTable[name].reason,
  );
}
