import { UsageError } from "@assay/protocol/assay-error";
import { escapeText } from "@assay/protocol/escape";
import type { BaselineEntry } from "@assay/suite";
import {
  type ConformanceReport,
  type ConformanceResult,
  resultsOf,
  type Standing,
  standingOf,
} from "@assay/suite/report";
import { stringify } from "yaml";
import { z } from "zod";
import { readYaml } from "./read-yaml.ts";

/** The default file name of a baseline. */
export const usualBaseline = "assay-baseline.yaml";

const day = /^\d{4}-\d\d-\d\d$/;
const entry = z.strictObject({
  check: z.string().min(1, { message: "the id of a rule" }),
  interface: z.enum(["JSONRPC", "HTTP+JSON", "GRPC", "card"]).optional(),
  reason: z.string().min(1, { message: "a reason" }),
  flaky: z.boolean().optional(),
  expires: z.string().regex(day, { message: "a day such as 2027-01-31" }).optional(),
});

/** Reads the known failures that the project accepts for now. */
export function readBaseline(file: string): readonly BaselineEntry[] {
  try {
    return (readYaml(file, z.array(entry).nullable()) ?? []) as BaselineEntry[];
  } catch (error) {
    const isMissing = error instanceof UsageError && (error.cause as NodeJS.ErrnoException)?.code === "ENOENT";
    if (!isMissing) throw error;
    throw new UsageError(
      `The baseline ${file} does not exist`,
      "To write the failures of this run to it, add --baseline-update.",
      error.cause,
    );
  }
}

/** The state of the baseline entries after a run. */
export interface BaselineOutcome {
  /** listed, but passes now: the list is out of date, and the run fails */
  readonly fixed: readonly BaselineEntry[];
  readonly expired: readonly BaselineEntry[];
  /** did not fail, but the run did not examine every place that the entry covers, so the failure may still exist */
  readonly unknown: readonly BaselineEntry[];
  /** names a check that this run did not include */
  readonly unmatched: readonly BaselineEntry[];
}

export function judgeBaseline(
  report: ConformanceReport,
  entries: readonly BaselineEntry[],
  today: string = new Date().toISOString().slice(0, 10),
): BaselineOutcome {
  const results = resultsOf(report);
  const expired = entries.filter((each) => isExpired(each, today));
  const alive = entries.filter((each) => !isExpired(each, today));
  const seen = (entry: BaselineEntry): readonly Standing[] => [...standings(entry, results).values()];
  return {
    expired,
    unknown: alive.filter((each) => seen(each).includes("unknown") && !seen(each).includes("broken")),
    unmatched: alive.filter((each) => seen(each).length === 0),
    fixed: alive.filter((each) => !each.flaky && !seen(each).includes("unknown") && seen(each).includes("holds")),
  };
}

/** Returns the places that an entry covers, with the state of its rule in each. */
function standings(entry: BaselineEntry, results: readonly ConformanceResult[]): ReadonlyMap<string, Standing> {
  const about = results.filter((result) => isAbout(entry, result));
  const places = new Set(about.map(placeOf));
  return new Map([...places].map((place) => [place, standingOf(about.filter((each) => placeOf(each) === place))]));
}

/** Returns true if the rule passes in a place where the entry expects a failure. */
const isOutdated = (entry: BaselineEntry, results: readonly ConformanceResult[]): boolean =>
  [...standings(entry, results).values()].includes("holds");

const isExpired = ({ expires }: BaselineEntry, today: string): boolean => expires !== undefined && expires < today;

const isAbout = ({ check, interface: place }: BaselineEntry, result: ConformanceResult): boolean =>
  result.test === check && (place === undefined || place === placeOf(result));

const placeOf = ({ interface: on }: ConformanceResult): string => on?.binding ?? "card";

/**
 * Returns the baseline with which this run would pass: its failures, with the reasons that are already known. Entries
 * that the run did not examine stay, because it learned nothing about them. Flaky entries stay too: one pass does not
 * prove a fix.
 */
export function updatedBaseline(report: ConformanceReport, entries: readonly BaselineEntry[]): BaselineEntry[] {
  const results = resultsOf(report);
  const kept = entries.filter((each) => each.flaky || !isOutdated(each, results));
  // If an entry without an interface is fixed in some places only, it is narrowed to the other places.
  const narrowed = entries
    .filter((each) => !kept.includes(each))
    .flatMap((each) =>
      [...standings(each, results)]
        .filter(([, standing]) => standing === "unknown" || standing === "broken")
        .map(([place]) => ({ ...each, interface: place })),
    );
  const known = [...kept, ...narrowed];
  const fresh = new Map<string, BaselineEntry>();
  for (const result of results) {
    if (result.verdict !== "fail" || known.some((each) => isAbout(each, result))) continue;
    // --ignore-known-sdk accepts it; the baseline needs no entry for it.
    if (result.knownFault && result.expected !== undefined) continue;
    const place = isEverywhere(result.test, results) ? undefined : placeOf(result);
    fresh.set(`${result.test} ${place}`, {
      check: result.test,
      ...(place !== undefined && { interface: place }),
      reason: `TODO: explain: ${quiet(result.message ?? result.title)}`,
    });
  }
  return [...known, ...fresh.values()].toSorted(byName);
}

/** Escapes agent text for the YAML file, where it may wrap anywhere: no line may start with a build server command. */
const quiet = (text: string): string => escapeText(text).replaceAll(" ::", " \\::");

/** Returns true if the rule is broken in every examined place and in more than one, so that one entry is enough. */
function isEverywhere(test: string, results: readonly ConformanceResult[]): boolean {
  const examined = results.filter((result) => result.test === test && result.status !== "skip");
  return examined.length > 1 && examined.every(({ status }) => status === "fail");
}

function byName(a: BaselineEntry, b: BaselineEntry): number {
  const [nameA, nameB] = [entryName(a), entryName(b)];
  return nameA < nameB ? -1 : nameA > nameB ? 1 : 0;
}

/** Returns the text of the baseline file. */
export const baselineText = (entries: readonly BaselineEntry[]): string =>
  `# Known failures. assay test --baseline <this file> does not count them.
# check: the rule · interface: JSONRPC, HTTP+JSON, GRPC or card; everywhere without · reason: why you accept the failure
# flaky: true for a failure that comes and goes · expires: the last day on which it does not count (2027-01-31)
${stringify(entries, { lineWidth: 110 })}`;

/** Describes an entry in one line: "LIST-003 over JSONRPC". */
export const entryName = ({ check, interface: place }: BaselineEntry): string =>
  place === undefined ? check : place === "card" ? `${check} of the card` : `${check} over ${place}`;
