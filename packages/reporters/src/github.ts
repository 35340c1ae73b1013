import {
  type ConformanceReport,
  type FindingGroup,
  failuresOf,
  firstStep,
  levelText,
  outcomeWord,
  warningsOf,
} from "@assay/suite/report";
import { cut, endingOf, examinedOf, findingsOf, visible } from "@assay/suite/text";
import type { Run } from "./run.ts";

/** Number of annotations of a kind that GitHub shows for a step. It drops the rest silently. */
const mostShown = 10;

export type AnnotationKind = "error" | "warning" | "notice";

/**
 * Builds a command for GitHub's runner. Each text is escaped to a single line, so the text of an agent can neither end
 * the command nor start another one.
 */
export function annotation(kind: AnnotationKind, title: string, ...lines: readonly string[]): string {
  const said = lines.map((line) => visible(cut(line, 1000))).join("\n");
  return `::${kind} title=${property(visible(cut(title, 200)))}::${data(said)}`;
}

const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** Writes annotations for a job on GitHub: errors, warnings and the outcome. */
export const github = (run: Run): string => mergedGithub([run]);

/** Writes the annotations of several runs. They share the number that GitHub shows for a step. */
export function mergedGithub(runs: readonly Run[]): string {
  const all = runs.map(annotationsOf);
  const by = runs.length === 1 ? nameOf(runs[0]!) : "";
  // A run without a verdict must not disappear behind the failures of others.
  const errors = [...all.flatMap((each) => each.trouble), ...all.flatMap((each) => each.errors)];
  const warnings = all.flatMap((each) => each.warnings);
  const notices = all.map((each) => each.headline);
  return [...shown("error", errors, by), ...shown("warning", warnings, by), ...shown("notice", notices, by), ""].join(
    "\n",
  );
}

const nameOf = ({ agent }: Run): string => (agent === undefined ? "" : `${agent}: `);

function annotationsOf(run: Run) {
  const { report } = run;
  const by = nameOf(run);
  const failures = failuresOf(report);
  const counting = failures.filter(({ example }) => !example.disputed);
  const contested = failures.filter(({ example }) => example.disputed);
  return {
    trouble: trouble(report, by),
    errors: counting.map((group) => told("error", group, by)),
    warnings: [...contested, ...warningsOf(report)].map((group) => told("warning", group, by)),
    headline: headline(report, by),
  };
}

/** A run without a verdict is not a success. */
function trouble(report: ConformanceReport, by: string): string[] {
  const ending = endingOf(report);
  if (ending === undefined) return [];
  const next = firstStep(report);
  return [annotation("error", `${by}A2A: ${outcomeWord(report)}`, ending, ...(next === undefined ? [] : [next]))];
}

function told(kind: AnnotationKind, { example, message, where, also }: FindingGroup, by: string): string {
  const { test, section, want, remedy, title, disputed } = example;
  return annotation(
    kind,
    `${by}${[test, ...also].join(", ")} §${section} (${where})`,
    message || title,
    ...(want === undefined ? [] : [`want: ${want}`]),
    ...(remedy === undefined ? [] : [`fix: ${remedy}`]),
    ...(disputed ? ["contested: it does not decide the exit code"] : []),
  );
}

/** Returns all annotations, or as many as GitHub shows and the number of the others. */
function shown(kind: AnnotationKind, all: readonly string[], by: string): string[] {
  if (all.length <= mostShown) return [...all];
  const first = all.slice(0, mostShown - 1);
  return [
    ...first,
    annotation(kind, `${by}A2A`, `${all.length - first.length} more: see the summary of the job or the report`),
  ];
}

const headline = (report: ConformanceReport, by: string): string =>
  annotation(
    "notice",
    `${by}A2A: ${outcomeWord(report)}`,
    ...(report.summary.total === 0 ? [] : [`${findingsOf(report)}; ${examinedOf(report)}`]),
    levelText(report),
    ...(report.subject === "gateway" ? [] : [`rules ${report.ruleSet}`]),
  );
