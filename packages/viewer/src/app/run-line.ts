import { rulesText } from "@assay/suite/report";
import { plural } from "@assay/suite/text";
import type { RunLine } from "../documents/runs.ts";

/** Returns the colour of an outcome. Failures that the baseline expects are not red. */
export const lookOf = ({ outcome, broken, summary }: Pick<RunLine, "outcome" | "broken" | "summary">): string =>
  outcome === "conformant"
    ? "pass"
    : outcome === "inconclusive"
      ? "error"
      : broken || !summary.expected
        ? "fail"
        : "warn";

/** Returns the findings of a run. Only a run with the outcome "conformant" can say that nothing is broken. */
export function findingsWord({
  outcome,
  broken,
  summary,
  subject,
}: Pick<RunLine, "outcome" | "broken" | "summary" | "subject">): string {
  if (broken > 0) return `${rulesText(broken, subject)} broken`;
  if (summary.expected > 0) return plural(summary.expected, "expected failure");
  if (outcome === "conformant") return subject === "gateway" ? "no property broken" : "no rule broken";
  return `${summary.examined} of ${rulesText(summary.applicable, subject)} examined`;
}

/**
 * Returns the runs whose numbers can be compared in a chart. A run of some rules, or of the card alone, has fewer
 * failures only because it examined less. Such runs stay if there are no others.
 */
export function comparableRuns<Line extends Pick<RunLine, "scope">>(runs: readonly Line[]): Line[] {
  const whole = runs.filter(({ scope }) => scope === "everything");
  return whole.length ? whole : runs.filter(({ scope }) => scope !== "filtered");
}

/** Returns the runs of an address as people type it: with or without a scheme and a slash at the end. */
export function runsOf<Line extends Pick<RunLine, "agentUrl">>(url: string, runs: readonly Line[]): Line[] {
  const bare = (address: string): string =>
    address
      .trim()
      .replace(/^https?:\/\//i, "")
      .replace(/\/+$/, "");
  return bare(url) === "" ? [] : runs.filter(({ agentUrl }) => bare(agentUrl) === bare(url));
}
