import type { PeerTried } from "@assay/suite/report";
import type { CanceledAcross } from "./cancel-across.ts";
import type { Exchanged, Interop, InteropDirection } from "./interop.ts";
import { mixedIn } from "./understanding.ts";

/** A result of two agents together; four of them are those of step 5.5 of the procedure. */
export interface PairResult extends Omit<PeerTried, "event" | "test"> {
  readonly test: PeerTried["test"] | "cancel-across";
  /** worth a look, although no rule of A2A is about it */
  readonly warning?: string;
}

type StepResult = Omit<PeerTried, "event">;

/** Summarises an interop run as four results: A finds B, A sends to B, B sends to A, and both at once. */
export function stepResults({ directions }: Pick<Interop, "directions">): readonly StepResult[] {
  const there = directions.find(({ direction }) => direction === "a-to-b");
  const back = directions.find(({ direction }) => direction === "b-to-a");
  return [
    naming([there], discovers(there)),
    naming([there], sent("a-to-b", there)),
    naming([back], sent("b-to-a", back)),
    naming([there, back], atOnce([there, back])),
  ];
}

/** Names the clients that take the place of agents: their results say nothing about those agents. */
function naming(ways: readonly (InteropDirection | undefined)[], result: StepResult): StepResult {
  const stood = ways.flatMap((way) =>
    way?.standIn === undefined
      ? []
      : [`${way.standIn} stands in for ${way.from || way.direction.at(0)!.toUpperCase()}`],
  );
  const message = [result.message, ...stood].filter((text) => text !== undefined).join("; ");
  return message ? { ...result, message } : result;
}

/** Adds the fifth result, which is Assay's own: a task that is canceled on one side is canceled on the other. */
export function pairResults(found: Pick<Interop, "directions">): readonly PairResult[] {
  return [...stepResults(found), canceledAcross(found.directions)];
}

function canceledAcross(directions: readonly InteropDirection[]): PairResult {
  const test = "cancel-across";
  const reasons = directions.flatMap(({ direction, canceled, untried = "not tried" }) => {
    const { is, because }: Exclude<CanceledAcross, { is: "canceled" }> =
      canceled === undefined || canceled.is === "canceled" ? { is: "untried", because: untried } : canceled;
    return canceled?.is === "canceled" ? [] : [{ is, text: `${direction}: ${because}` }];
  });
  const kept = reasons.filter(({ is }) => is === "not-canceled");
  if (kept.length) return { test, status: "pass", warning: kept.map(({ text }) => text).join("; ") };
  const message = reasons.map(({ text }) => text).join("; ");
  return message ? { test, status: "skip", message } : { test, status: "pass" };
}

const skip = (test: PeerTried["test"], message: string): StepResult => ({ test, status: "skip", message });

const untriedBecause = (way: InteropDirection | undefined): string => way?.untried ?? "not tried";

function discovers(way: InteropDirection | undefined): StepResult {
  const test = "discovers";
  if (!way || way.calls.length === 0) return skip(test, untriedBecause(way));
  const cards = way.calls.filter(({ asked, over }) => over === undefined && asked.startsWith("GET "));
  if (cards.some(({ answer }) => answer === "200")) return { test, status: "pass" };
  if (way.calls.length > cards.length) return skip(test, "A called B without asking for its card");
  return { test, status: "fail", message: "A did not get the card of B" };
}

function sent(test: "a-to-b" | "b-to-a", way: InteropDirection | undefined): StepResult {
  if (!way || way.untried !== undefined) return skip(test, untriedBecause(way));
  return judged(
    test,
    way.exchanged.filter(({ how }) => how === "one after the other"),
    [],
  );
}

function atOnce(ways: readonly (InteropDirection | undefined)[]): StepResult {
  const tried = ways.filter((way) => way !== undefined && way.untried === undefined) as InteropDirection[];
  if (tried.length === 0) return skip("concurrent", untriedBecause(ways[0]));
  const exchanged = tried.flatMap((way) => way.exchanged.filter(({ how }) => how === "at the same time"));
  const result = judged(
    "concurrent",
    exchanged,
    tried.flatMap(({ calls }) => mixedIn(calls)),
  );
  // One direction shows only one of the two agents with several tasks.
  const untried = ways.find((way) => way?.untried !== undefined);
  return untried && result.status === "pass"
    ? skip("concurrent", `one direction only: ${untriedBecause(untried)}`)
    : result;
}

function judged(test: PeerTried["test"], exchanged: readonly Exchanged[], mixed: readonly string[]): StepResult {
  const lost = exchanged
    .filter(({ sent: count, answered }) => answered < count)
    .map(
      ({ sent: count, answered, because }) => `${answered} of ${count} messages were answered (${because.join("; ")})`,
    );
  const message = [...lost, ...mixed].join("; ");
  return message ? { test, status: "fail", message } : { test, status: "pass" };
}
