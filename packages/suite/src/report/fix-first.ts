import { causeFinder } from "./cause.ts";
import { type ConformanceReport, type FixFirst, resultsOf } from "./document.ts";
import { type FindingGroup, whereOf } from "./group.ts";
import { byCause } from "./one-cause.ts";
import { exampleOf, headlineOf } from "./one-cause-words.ts";
import type { ConformanceResult } from "./result.ts";
import { clientWeight, truthful, type Weight, weigher, weights } from "./weight.ts";

/** Failures with one cause that can be fixed together. */
export interface FailureGroup extends FindingGroup {
  /** the worst effect */
  readonly weight: Weight;
  /** the results that it blocks */
  readonly holdsUp: readonly ConformanceResult[];
  /** the observed behaviours, if they differ */
  readonly sightings: readonly { readonly test: string; readonly where: string; readonly message: string }[];
}

/**
 * Returns what to fix, the most important first. Crashes, dead connections, an invalid card and broken basics come
 * before everything else. Within each half the causes that break and block most rules come first. Known faults of the
 * SDK come after the author's own, contested failures last, and failures that a baseline expects are left out.
 */
export function failuresOf(report: Pick<ConformanceReport, "categories" | "subject">): FailureGroup[] {
  const results = resultsOf(report);
  const weightOf = report.subject === "client" ? clientWeight : weigher(results.filter(({ disputed }) => !disputed));
  const rank = (result: ConformanceResult): number => weights.indexOf(weightOf(result));
  const held = heldUpBy(results);
  const failed = results.filter(({ verdict, expected }) => verdict === "fail" && expected === undefined);
  // Keeps a fault of the SDK apart from a similar one of the author.
  const causes = [false, true].flatMap((isKnown) =>
    byCause(failed.filter(({ knownFault }) => (knownFault !== undefined) === isKnown)),
  );
  return causes
    .map((same) => groupOf(same, { rank, held }))
    .toSorted(
      (a, b) =>
        Number(isContested(a)) - Number(isContested(b)) ||
        Number(isOfSdk(a)) - Number(isOfSdk(b)) ||
        Number(isUrgent(b)) - Number(isUrgent(a)) ||
        reachOf(b) - reachOf(a) ||
        weights.indexOf(a.weight) - weights.indexOf(b.weight) ||
        b.holdsUp.length - a.holdsUp.length ||
        b.results.length - a.results.length,
    );
}

/** Returns true for a crash, a dead connection, or a failure that prevents everything else. */
const isUrgent = ({ weight, results }: FailureGroup): boolean =>
  weight === "card" || weight === "basics" || results.some(({ code, test }) => code === "crashed" || test === truthful);

/** Returns the number of rules that a cause breaks or blocks. */
const reachOf = ({ results, holdsUp }: FailureGroup): number =>
  new Set([...results, ...holdsUp].map(({ test }) => test)).size;

/** Returns the same for the report document, with each failure as its fingerprint. */
export const fixFirstOf = (report: Pick<ConformanceReport, "categories" | "subject">): FixFirst[] =>
  failuresOf(report).map(({ message, test, also, where, weight, blocks, results }) => ({
    message,
    tests: [test, ...also],
    where,
    weight,
    blocks,
    findings: results.flatMap(({ fingerprint }) => fingerprint ?? []),
  }));

const isOfSdk = ({ example }: FindingGroup): boolean => example.knownFault !== undefined;

const isContested = ({ results }: FindingGroup): boolean => results.every(({ disputed }) => disputed);

function groupOf(
  same: readonly ConformanceResult[],
  {
    rank,
    held,
  }: {
    readonly rank: (result: ConformanceResult) => number;
    readonly held: ReadonlyMap<ConformanceResult, readonly ConformanceResult[]>;
  },
): FailureGroup {
  const holds = (result: ConformanceResult): number => held.get(result)?.length ?? 0;
  // The most severe result represents the group, as in the level.
  const results = same.toSorted(
    (a, b) => Number(a.disputed ?? false) - Number(b.disputed ?? false) || rank(a) - rank(b) || holds(b) - holds(a),
  );
  const example = exampleOf(results);
  const holdsUp = results.flatMap((result) => held.get(result) ?? []);
  const tests = [...new Set(results.map(({ test }) => test))];
  return {
    test: example.test,
    also: tests.slice(1),
    message: headlineOf(results),
    example,
    results,
    where: placesOf(results),
    blocks: holdsUp.length,
    weight: weights[rank(example)]!,
    holdsUp,
    sightings: sightingsOf(results),
  };
}

function sightingsOf(results: readonly ConformanceResult[]): FailureGroup["sightings"] {
  const said = new Map<string, ConformanceResult[]>();
  for (const result of results) {
    const key = `${result.test} ${result.message}`;
    said.set(key, [...(said.get(key) ?? []), result]);
  }
  const all = [...said.values()].map((same) => ({
    test: same[0]!.test,
    where: placesOf(same),
    message: same[0]!.message ?? same[0]!.title,
  }));
  return new Set(all.map(({ message }) => message)).size > 1 ? all : [];
}

const placesOf = (results: readonly ConformanceResult[]): string => [...new Set(results.map(whereOf))].join(", ");

function heldUpBy(results: readonly ConformanceResult[]): Map<ConformanceResult, ConformanceResult[]> {
  const causeOf = causeFinder(results);
  const held = new Map<ConformanceResult, ConformanceResult[]>();
  for (const result of results) {
    const cause = result.verdict === "blocked" ? causeOf(result) : undefined;
    if (cause) held.set(cause, [...(held.get(cause) ?? []), result]);
  }
  return held;
}
