import {
  type ConformanceReport,
  type ConformanceResult,
  exitCodeOf,
  type FailureGroup,
  type FindingGroup,
  failuresOf,
  firstStep,
  knownFaultText,
  levelText,
  messagesText,
  outcomeWord,
  placeName,
  rulesText,
  slowedDownText,
  troublesOf,
  type UnexaminedGroup,
  unexaminedOf,
  warningsOf,
  weightText,
} from "@assay/suite/report";
import { endTexts, placeText } from "@assay/suite/text";
import { duration, listed, plural, sections } from "../phrases.ts";
import { escapeText } from "./escape.ts";
import { versionAnswers } from "./plain.ts";
import { foundText, notExaminedText } from "./report-text.ts";
import type { Screen } from "./screen.ts";
import { cutTo, padTo, widthOf, wrap } from "./width.ts";

export interface SummarySpace {
  readonly columns: number;
  readonly colors: Screen["colors"];
}

/** The number of failures to show in full. More would make the verdict scroll away. */
const toldInFull = 5;
const toldInALine = 20;
const warningsTold = 10;

/** Renders a report for the terminal: the verdict first, then fixes, then what was not examined. */
export function summaryOf(report: ConformanceReport, space: SummarySpace): string[] {
  const failures = failuresOf(report);
  const parts = [
    answerLines(report, space),
    fixFirst(failures, space),
    blockedLines(report, failures),
    warningLines(warningsOf(report), space),
    notExamined(report, space),
    asides(report, space),
  ];
  return parts.flatMap((part, index) => (index && part.length ? ["", ...part] : part));
}

/** Renders only the verdict and the fixes, for people who see a report for the first time. */
export function briefOf(report: ConformanceReport, space: SummarySpace): string[] {
  const fixes = fixFirst(failuresOf(report), space);
  return [...answerLines(report, space), ...(fixes.length ? ["", ...fixes] : [])];
}

function answerLines(report: ConformanceReport, space: SummarySpace): string[] {
  const { colors } = space;
  const { summary, depth, outcome, scope } = report;
  const paint = { conformant: colors.green, "not-conformant": colors.red, inconclusive: colors.yellow }[outcome];
  const examined = `examined ${summary.examined} of ${applicableText(report)}${report.subject === "client" ? "" : ` (${scope === "traffic" ? scope : depth})`}`;
  return [
    `${colors.bold(paint(outcomeWord(report)))}   ${foundText(report)}   ${examined}`,
    ...whyLines(report, space),
    ...versionAnswers(report).map((line) => colors.dim(`  ${line}`)),
    ...firstLines(report, space),
  ];
}

const applicableText = ({ subject, summary: { applicable } }: ConformanceReport): string =>
  subject === "gateway" ? rulesText(applicable, subject) : plural(applicable, "rule that applies", "rules that apply");

/** Returns the level with its reason, or why there is no verdict. Adds time and messages if they fit. */
function whyLines(report: ConformanceReport, { columns, colors }: SummarySpace): string[] {
  const took = `${duration(report.duration_ms)}, ${messagesText(report)}`;
  const lines = wrap(escapeText(levelText(report)), columns);
  const [only] = lines;
  return lines.length === 1 && only !== undefined && widthOf(only) + widthOf(took) + 3 <= columns
    ? [`${only}   ${colors.dim(took)}`]
    : [...lines, colors.dim(took)];
}

/** Returns the first step after an inconclusive run, and the exit code. */
function firstLines(report: ConformanceReport, { columns, colors }: SummarySpace): string[] {
  if (report.outcome !== "inconclusive") {
    // A card without interfaces has its own message.
    const said = report.ending === "no-interface" ? [report.message, report.hint] : [];
    return said.flatMap((text) => (text === undefined ? [] : wrap(escapeText(text), columns)));
  }
  const exit = colors.dim(`exit ${exitCodeOf(report)}`);
  const first = firstStep(report);
  if (first === undefined) return [exit];
  const lines = wrap(escapeText(first), Math.max(30, columns - 8));
  const last = lines.length - 1;
  return lines.map((line, at) => `${at ? "     " : "First"}   ${line}${at === last ? `   ${exit}` : ""}`);
}

function fixFirst(failures: readonly FailureGroup[], space: SummarySpace): string[] {
  if (!failures.length) return [];
  const shown = failures.slice(0, toldInALine);
  const digits = String(shown.length).length;
  const places = placesOf(shown);
  const beside = digits + 7 + Math.max(...places.map(widthOf));
  const room = Math.max(40, space.columns - beside);
  const titles = shown.map(({ message, example }) => escapeText(message || example.title));
  const width = Math.min(room, Math.max(...titles.map(widthOf)));
  const lines = shown.flatMap((group, index) => {
    const number = `  ${String(index + 1).padStart(digits)}  `;
    const isShort = index >= toldInFull;
    const [first = "", ...rest] = isShort ? [cutTo(titles[index]!, width)] : wrap(titles[index]!, width);
    const head = `${number}${space.colors.bold(padTo(first, width))}   ${places[index]}`;
    const more = rest.map((line) => `${" ".repeat(number.length)}${space.colors.bold(line)}`);
    return isShort
      ? [head, ...knownLines(group.example, digits, space)]
      : [head, ...more, ...details(group, digits, space)];
  });
  const more = failures.length - shown.length;
  return [space.colors.bold("Fix first"), ...lines, ...(more ? [`  … and ${more} more, in the report`] : [])];
}

/** Returns the interface, the rule and its section for each failure. */
function placesOf(groups: readonly FailureGroup[]): string[] {
  const width = Math.min(24, Math.max(...groups.map(({ where }) => widthOf(where))));
  return groups.map(({ test, where, example }) => {
    const contested = example.disputed ? "   (disputed: does not count)" : "";
    return `${padTo(escapeText(where), width)}   ${test}  ${sections(example.section)}${contested}`;
  });
}

/** Returns the effects of a failure; what Assay sent, saw and expected; the fix; and a command to reproduce it. */
function details(
  { example, also, weight, sightings }: FailureGroup,
  digits: number,
  { columns, colors }: SummarySpace,
): string[] {
  const { room, row } = rowsBelow(digits, { columns, colors });
  const short = (label: string, text: string | undefined): string[] =>
    text === undefined ? [] : row(label, [cutTo(escapeText(text), room)]);
  const { sent, saw, want, remedy, repeat, compared } = example;
  const ends = endLines(compared);
  const effects = [
    ...(weightText[weight] === undefined ? [] : [weightText[weight]]),
    ...(also.length ? [`also breaks ${listed(also)}`] : []),
  ];
  // The report has the results of other rules. Only other ways to break this rule matter here.
  const ways = sightings.filter(({ test }) => test === example.test);
  return [
    ...(effects.length ? row("", wrap(effects.join("; "), room)) : []),
    ...(ways.length > 1
      ? row(
          "where",
          ways.map(({ where, message }) => cutTo(escapeText(`${where}: ${message}`), room)),
        )
      : []),
    ...short("sent", sent),
    ...(ends
      ? row(
          "compared",
          ends.flatMap((line) => wrap(line, room)),
        )
      : [...short("saw", saw), ...(want === undefined ? [] : row("want", wrap(escapeText(want), room)))]),
    ...knownLines(example, digits, { columns, colors }),
    ...(remedy === undefined ? [] : row("fix", wrap(escapeText(remedy), room))),
    // Never cut this line, because people copy it.
    ...(repeat === undefined ? [] : row("reproduce", [escapeText(repeat)])),
  ];
}

/** Returns what left one end of a gateway and what reached the other, below the place that differs. */
function endLines(compared: ConformanceResult["compared"]): string[] | undefined {
  const shows = compared?.ends.map((end) => end.shows);
  if (!compared || !shows?.every((each) => each !== undefined)) return undefined;
  const texts = endTexts(compared);
  return [placeText(compared), ...shows.map((each, n) => `${"-+"[n]} ${texts[n]}: ${each}`)].map(escapeText);
}

/** Returns a note about a known SDK bug, so that people do not search for it in their own code. */
function knownLines({ knownFault }: ConformanceResult, digits: number, space: SummarySpace): string[] {
  if (!knownFault) return [];
  const { room, row } = rowsBelow(digits, space);
  return row("known", wrap(escapeText(`${knownFaultText(knownFault)}. Workaround: ${knownFault.workaround}`), room));
}

/** Formats labelled rows below the headline of a failure. */
function rowsBelow(digits: number, { columns, colors }: SummarySpace) {
  const indent = " ".repeat(digits + 4);
  return {
    room: Math.max(30, columns - indent.length - 11),
    row: (label: string, lines: readonly string[]): string[] =>
      lines.map((line, index) => `${indent}${colors.dim((index ? "" : label).padEnd(9))} ${line}`),
  };
}

/** Returns the checks that a failure blocked, by its number, or by its rule if it is not shown above. */
function blockedLines({ rootCauses }: ConformanceReport, failures: readonly FailureGroup[]): string[] {
  const lines = failures.flatMap(({ test, blocks }, index) =>
    blocks ? [blockedLine(index < toldInALine ? `#${index + 1}` : test, blocks, "")] : [],
  );
  const told = new Set(failures.flatMap(({ test, also }) => [test, ...also]));
  const others = rootCauses.filter(({ test }) => !told.has(test));
  return [...lines, ...others.map(({ test, blocks, message }) => blockedLine(test, blocks, message))];
}

const blockedLine = (name: string, blocks: number, why: string): string =>
  `Blocked by ${name}: ${plural(blocks, "check")} could not run${why ? ` (${escapeText(why)})` : ""}.`;

function warningLines(warnings: readonly FindingGroup[], { columns, colors }: SummarySpace): string[] {
  if (!warnings.length) return [];
  const shown = warnings.slice(0, warningsTold);
  const idWidth = Math.max(...shown.map(({ test }) => test.length));
  const whereWidth = Math.min(24, Math.max(...shown.map(({ where }) => widthOf(where))));
  const lines = shown.flatMap(({ test, also, where, message, example: { remedy } }) => {
    const place = `${test.padEnd(idWidth)}  ${padTo(escapeText(where), whereWidth)}   `;
    const others = also.length ? ` (also ${also.join(", ")})` : "";
    const told = cutTo(`  ${colors.yellow("!")} ${place}${escapeText(message)}${others}`, columns);
    const indent = " ".repeat(idWidth + 6);
    const fix = remedy === undefined ? [] : wrap(escapeText(remedy), Math.max(30, columns - indent.length - 4));
    return [told, ...fix.map((line, index) => `${indent}${colors.dim(index ? "   " : "fix")} ${line}`)];
  });
  const more = warnings.length - shown.length;
  return [colors.bold("Warnings"), ...lines, ...(more ? [`  … and ${more} more, in the report`] : [])];
}

function notExamined(report: ConformanceReport, { columns, colors }: SummarySpace): string[] {
  const all = unexaminedOf(report);
  const troubles = troubleLines(report, all, columns);
  const groups = all.filter(({ trouble }) => trouble === undefined);
  if (!groups.length) return troubles;
  const total = groups.reduce((sum, { rules }) => sum + rules, 0);
  const digits = String(Math.max(...groups.map(({ rules }) => rules))).length;
  // Wrap these lines and do not cut them, because the fix is at the end.
  const lines = groups.flatMap((group) =>
    wrap(notExaminedText(group), Math.max(30, columns - digits - 4)).map(
      (line, index) => `  ${(index ? "" : String(group.rules)).padStart(digits)}  ${line}`,
    ),
  );
  const title = troubles.length ? "Not examined for other reasons" : "Not examined";
  return [...troubles, `${colors.bold(title)}: ${rulesText(total, report.subject)}`, ...lines];
}

/** Returns one sentence for each problem of the network or a gateway, with its fix. */
function troubleLines(report: ConformanceReport, groups: readonly UnexaminedGroup[], columns: number): string[] {
  const enables = groups.flatMap(({ trouble, enable }) => (trouble === undefined ? [] : [enable]));
  return troublesOf(report).flatMap((sentence, index) => {
    const enable = enables[index];
    return [
      ...wrap(`${sentence}.`, columns),
      ...(enable === undefined ? [] : wrap(escapeText(enable), columns - 2).map((line) => `  ${line}`)),
    ];
  });
}

/** Returns the interfaces of the card that were not tested, grouped by reason. */
function leftOutLines(leftOut: ConformanceReport["leftOut"]): string[] {
  const reasons = new Map<string, string[]>();
  for (const { interface: on, because } of leftOut)
    reasons.set(because, [...(reasons.get(because) ?? []), placeName(on)]);
  return [...reasons].map(
    ([because, places]) =>
      `Not tested: ${plural(places.length, "interface")} over ${escapeText(listed([...new Set(places)]))} (${escapeText(because)}).`,
  );
}

/** Returns notes about the run itself. */
function asides(report: ConformanceReport, { colors }: SummarySpace): string[] {
  const { leftOut, notes, slowedDown, summary, sdk } = report;
  const { expected, errors, withoutCheck } = summary;
  return [
    ...leftOutLines(leftOut),
    ...(slowedDown ? [`${slowedDownText(slowedDown)}.`] : []),
    ...(sdk ? [`SDK: ${escapeText(sdk.because)}.`] : []),
    ...(expected ? [`Known: the baseline or --ignore-known-sdk accepts ${plural(expected, "failure")}.`] : []),
    ...(errors
      ? [`${plural(errors, "check")} could not finish: an internal error, or the network. The report has the reasons.`]
      : []),
    ...notes.map((note) => `Note: ${escapeText(note)}`),
    ...(withoutCheck
      ? [
          colors.dim(
            `Assay does not check ${plural(withoutCheck, "rule")} about ${report.subject === "client" ? "clients" : "agents"} yet (assay coverage).`,
          ),
        ]
      : []),
  ];
}
