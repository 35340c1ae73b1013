import {
  type ConformanceReport,
  type FindingGroup,
  failuresOf,
  type UnexaminedGroup,
  unexaminedOf,
  warningsOf,
  whereOf,
} from "@assay/suite/report";
import { plural, sections } from "../words.ts";
import { escapeText } from "./escape.ts";
import { levelWord } from "./plain.ts";
import type { Screen } from "./screen.ts";
import { cutTo, padTo, widthOf, wrap } from "./width.ts";

export interface SummarySpace {
  readonly columns: number;
  readonly colors: Screen["colors"];
}

/** Failures told in full; what to fix first is enough to begin with, and the level must not scroll away. */
const toldInFull = 5;
const toldInALine = 20;
const warningsTold = 10;

/** What a run found, for people: the answer first, what to do about it, and what the answer does not cover. */
export function summaryOf(report: ConformanceReport, space: SummarySpace): string[] {
  const failures = failuresOf(report);
  const parts = [
    levelLines(report, failures, space),
    fixFirst(failures, space),
    heldUp(report, failures),
    warningLines(warningsOf(report), space),
    notExamined(report, space),
    asides(report, space),
  ];
  return parts.flatMap((part, index) => (index && part.length ? ["", ...part] : part));
}

function levelLines(report: ConformanceReport, failures: readonly FindingGroup[], { colors }: SummarySpace): string[] {
  const { summary, depth, ending, conformanceLevel: level, levelBecause } = report;
  const paint =
    ending !== "done" || level === null
      ? colors.yellow
      : { full: colors.green, partial: colors.yellow, minimal: colors.yellow, "non-conformant": colors.red }[level];
  const broken = new Set(failures.map(({ test }) => test)).size;
  const found = [
    broken ? `${plural(broken, "rule")} broken` : "nothing broken",
    summary.warnings ? plural(warningsOf(report).length, "warning") : "no warnings",
  ].join(", ");
  const examined = `examined ${summary.examined} of ${plural(summary.applicable, "rule that applies", "rules that apply")} (${depth})`;
  const because: Partial<Record<ConformanceReport["ending"], string>> = {
    interrupted: "The run was interrupted; this is what had been found by then.",
    "cut-off": "The run was cut off: its end was never written down. This is what had been found by then.",
  };
  const why = because[ending] ?? `${level === null ? "No level" : capital(level)}: ${escapeText(levelBecause)}.`;
  return [`${colors.bold(paint(levelWord(report)))}   ${found}   ${examined}`, colors.dim(why)];
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function fixFirst(failures: readonly FindingGroup[], space: SummarySpace): string[] {
  if (!failures.length) return [];
  const shown = failures.slice(0, toldInALine);
  const digits = String(shown.length).length;
  const titles = shown.map(({ message, example }) => escapeText(message || example.title));
  const titleWidth = Math.min(64, Math.max(...titles.map(widthOf)));
  const whereWidth = Math.min(24, Math.max(...shown.map(({ where }) => widthOf(where))));
  const lines = shown.flatMap((group, index) => {
    const { test, where, example } = group;
    const title = padTo(titles[index]!, titleWidth);
    const place = `${padTo(escapeText(where), whereWidth)}   ${test}  ${sections(example.section)}`;
    const head = `  ${String(index + 1).padStart(digits)}  ${space.colors.bold(title)}   ${place}`;
    return index < toldInFull ? [head, ...details(group, digits, space)] : [head];
  });
  const more = failures.length - shown.length;
  return [space.colors.bold("Fix first"), ...lines, ...(more ? [`  … and ${more} more, in the report`] : [])];
}

/** What we sent, saw and wanted; how to put it right, and a line to see it again. */
function details({ example }: FindingGroup, digits: number, { columns, colors }: SummarySpace): string[] {
  const indent = " ".repeat(digits + 4);
  const room = Math.max(30, columns - indent.length - 8);
  const row = (label: string, lines: readonly string[]): string[] =>
    lines.map((line, index) => `${indent}${colors.dim((index ? "" : label).padEnd(6))} ${line}`);
  const short = (label: string, text: string | undefined): string[] =>
    text === undefined ? [] : row(label, [cutTo(escapeText(text), room)]);
  const { sent, saw, want, remedy, repeat } = example;
  return [
    ...short("sent", sent),
    ...short("saw", saw),
    ...(want === undefined ? [] : row("want", wrap(escapeText(want), room))),
    ...(remedy === undefined ? [] : row("fix", wrap(escapeText(remedy), room))),
    // Never cut: it is there to be copied.
    ...(repeat === undefined ? [] : row("again", [escapeText(repeat)])),
  ];
}

function heldUp({ rootCauses }: ConformanceReport, failures: readonly FindingGroup[]): string[] {
  const blocks = new Map<string, { blocks: number; message: string }>();
  for (const cause of rootCauses) {
    const known = blocks.get(cause.test);
    blocks.set(cause.test, { blocks: (known?.blocks ?? 0) + cause.blocks, message: known?.message ?? cause.message });
  }
  return [...blocks].map(([test, cause]) => {
    const place = failures.findIndex((group) => group.test === test);
    const name = place >= 0 && place < toldInALine ? String(place + 1) : test;
    const why = place < 0 && cause.message ? ` (${escapeText(cause.message)})` : "";
    return `Held up by ${name}: ${plural(cause.blocks, "check")} could not be made${why}.`;
  });
}

function warningLines(warnings: readonly FindingGroup[], { columns, colors }: SummarySpace): string[] {
  if (!warnings.length) return [];
  const shown = warnings.slice(0, warningsTold);
  const idWidth = Math.max(...shown.map(({ test }) => test.length));
  const whereWidth = Math.min(24, Math.max(...shown.map(({ where }) => widthOf(where))));
  const lines = shown.map(({ test, where, message }) =>
    cutTo(
      `  ${colors.yellow("!")} ${test.padEnd(idWidth)}  ${padTo(escapeText(where), whereWidth)}   ${escapeText(message)}`,
      columns,
    ),
  );
  const more = warnings.length - shown.length;
  return [colors.bold("Warnings"), ...lines, ...(more ? [`  … and ${more} more, in the report`] : [])];
}

function notExamined(report: ConformanceReport, { columns, colors }: SummarySpace): string[] {
  const groups = unexaminedOf(report);
  if (!groups.length) return [];
  const total = groups.reduce((sum, { rules }) => sum + rules, 0);
  const digits = String(Math.max(...groups.map(({ rules }) => rules))).length;
  const lines = groups.map((group) => cutTo(`  ${String(group.rules).padStart(digits)}  ${reasonOf(group)}`, columns));
  return [`${colors.bold("Not examined")}: ${plural(total, "rule")}`, ...lines];
}

/** Why, and what the reader can do about it. */
export function reasonOf({ reason, enable, rules }: UnexaminedGroup): string {
  const need = rules === 1 ? "needs" : "need";
  const by = enable === undefined ? "" : `: ${escapeText(enable)}`;
  switch (reason) {
    case "prompt":
      return `${need} a message that brings the behaviour about${by}`;
    case "credentials":
      return `${need} credentials${by}`;
    case "webhook":
      return `${need} a webhook that the agent can reach${by}`;
    case "depth":
      return `${need} ${enable === undefined ? "more depth" : escapeText(enable)}`;
    case "rude":
      return `${need} ${enable === undefined ? "--rude" : escapeText(enable)}: what could hurt is not sent unasked`;
    case "budget":
      return `did not fit the budget${by}`;
    case "filter":
      return `left out by --only or --skip${by}`;
    case "unstable":
      return `could not be judged: the agent answered differently each time, or not in time${by}`;
    case "no-occasion":
      return `had no occasion in this run${by}`;
    case "interrupted":
      return `${rules === 1 ? "was" : "were"} left when the run was interrupted${by}`;
  }
}

/** What is true about the run besides what it found. */
function asides(report: ConformanceReport, { colors }: SummarySpace): string[] {
  const { leftOut, notes, summary } = report;
  const { expected, errors, withoutCheck } = summary;
  return [
    ...leftOut.map(
      ({ interface: on, because }) =>
        `Not tested: ${escapeText(`${whereOf({ interface: on } as never)} at ${on.url}`)}: ${escapeText(because)}`,
    ),
    ...(expected ? [`Known: ${plural(expected, "failure")} that the baseline expects.`] : []),
    ...(errors
      ? [`${plural(errors, "check")} could not be made for reasons of our own or the network's; see the report.`]
      : []),
    ...notes.map((note) => `Note: ${escapeText(note)}`),
    ...(withoutCheck
      ? [colors.dim(`${plural(withoutCheck, "rule")} about agents have no check yet (assay coverage).`)]
      : []),
  ];
}
