import type { PeerTried } from "@assay/suite/report";
import type { Exchanged, Interop, InteropDirection } from "./interop.ts";
import { mixedIn } from "./interop.ts";

type PairResult = Omit<PeerTried, "event">;

/** Summarises an interop run as four results: A finds B, A sends to B, B sends to A, and both at once. */
export function pairResults({ directions }: Pick<Interop, "directions">): readonly PairResult[] {
  const there = directions.find(({ direction }) => direction === "a-to-b");
  const back = directions.find(({ direction }) => direction === "b-to-a");
  return [discovers(there), sent("a-to-b", there), sent("b-to-a", back), atOnce([there, back])];
}

const skip = (test: PeerTried["test"], message: string): PairResult => ({ test, status: "skip", message });

const untriedBecause = (way: InteropDirection | undefined): string => way?.untried ?? "not tried";

function discovers(way: InteropDirection | undefined): PairResult {
  const test = "discovers";
  if (!way || way.untried !== undefined) return skip(test, untriedBecause(way));
  const cards = way.calls.filter(({ asked, over }) => over === undefined && asked.startsWith("GET "));
  if (cards.some(({ answer }) => answer === "200")) return { test, status: "pass" };
  if (way.calls.length > cards.length) return skip(test, "A called B without asking for its card");
  return { test, status: "fail", message: "A did not get the card of B" };
}

function sent(test: "a-to-b" | "b-to-a", way: InteropDirection | undefined): PairResult {
  if (!way || way.untried !== undefined) return skip(test, untriedBecause(way));
  return judged(
    test,
    way.exchanged.filter(({ how }) => how === "one after the other"),
    [],
  );
}

function atOnce(ways: readonly (InteropDirection | undefined)[]): PairResult {
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

function judged(test: PeerTried["test"], exchanged: readonly Exchanged[], mixed: readonly string[]): PairResult {
  const lost = exchanged
    .filter(({ sent: count, answered }) => answered < count)
    .map(
      ({ sent: count, answered, because }) => `${answered} of ${count} messages were answered (${because.join("; ")})`,
    );
  const message = [...lost, ...mixed].join("; ");
  return message ? { test, status: "fail", message } : { test, status: "pass" };
}
