import { AssertionError } from "node:assert";
import { escapeText } from "@assay/protocol/escape";
import {
  type ConformanceReport,
  exitCodeOf,
  type FailureGroup,
  failuresOf,
  firstStep,
  type Gates,
  knownFaultText,
  levelText,
  messagesText,
  outcomeWord,
  shutGates,
} from "@assay/suite/report";

/** Conditions that a report must meet besides "conformant". They are the gates of the command line. */
export type ConformanceDemands = Pick<Gates, "failOn" | "requireLevel" | "minExamined">;

/** Throws if the agent does not conform. The error has everything needed to fix the agent. Works in any test runner. */
export function assertConformant(report: ConformanceReport, expected: ConformanceDemands = {}): void {
  if (conforms(report, expected)) return;
  throw new AssertionError({
    message: complaintAbout(report, expected),
    actual: report.outcome,
    expected: "conformant",
    operator: "assertConformant",
  });
}

/** For `expect.extend` of vitest and jest: `expect(report).toBeConformant({ requireLevel: "partial" })`. */
export const conformanceMatchers = {
  toBeConformant: (report: ConformanceReport, expected: ConformanceDemands = {}) => ({
    pass: conforms(report, expected),
    message: () =>
      conforms(report, expected)
        ? `${nameOf(report)} is conformant, but was expected not to be`
        : complaintAbout(report, expected),
  }),
};

const conforms = (report: ConformanceReport, expected: ConformanceDemands): boolean =>
  exitCodeOf(report, expected) === 0;

const nameOf = ({ agentName, agentUrl }: ConformanceReport): string =>
  escapeText(agentName ? `${agentName} (${agentUrl})` : agentUrl);

/** Maximum number of failures in an error message, so that a log stays readable. */
const shown = 10;

function complaintAbout(report: ConformanceReport, expected: ConformanceDemands): string {
  const failures = failuresOf(report);
  const { summary } = report;
  const step = firstStep(report);
  return [
    `${nameOf(report)}: ${outcomeWord(report)}`,
    `${escapeText(levelText(report))}; examined ${summary.examined} of ${summary.applicable} rules that apply, ${messagesText(report)}`,
    ...shutGates(report, expected).map((gate) => `expected: ${gate}`),
    ...(step === undefined ? [] : [`First: ${escapeText(step)}`]),
    ...failures
      .slice(0, shown)
      .flatMap(({ test, message, where, example }, index) => [
        "",
        `${index + 1}. ${test} ${where}: ${escapeText(message)}`,
        ...linesOf(example),
      ]),
    ...(failures.length > shown ? ["", `… and ${failures.length - shown} more`] : []),
  ].join("\n");
}

const linesOf = ({ sent, saw, want, knownFault, remedy, repeat }: FailureGroup["example"]): string[] =>
  Object.entries({
    sent,
    saw,
    want,
    known: knownFault && `${knownFaultText(knownFault)}. Workaround: ${knownFault.workaround}`,
    fix: remedy,
    reproduce: repeat,
  }).flatMap(([name, text]) => (text === undefined ? [] : [`   ${name.padEnd(10)} ${escapeText(text)}`]));
