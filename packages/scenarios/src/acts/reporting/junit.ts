import { cut, markup } from "@assay/protocol/escape";
import { transports } from "../model.ts";
import type { TestOutcome } from "./outcome.ts";
import { factsOf } from "./outcome.ts";
import { type ActsReport, countsOf } from "./report.ts";

/**
 * Writes JUnit XML: one suite for each suite of the corpus and binding. A defective test counts as skipped.
 */
export function actsJunit(report: ActsReport): string {
  const suites = report.suites.flatMap(({ id, tests }) =>
    transports
      .map((transport) => ({
        name: `${id} (${transport})`,
        tests: tests.filter((test) => test.transport === transport),
      }))
      .filter((suite) => suite.tests.length),
  );
  const all = suites.flatMap(({ tests }) => tests);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: "assay acts", ...numbers(all), time: seconds(report.duration_ms) })}>`,
    ...suites.flatMap(({ name, tests }) => [
      `  <testsuite${attributes({ name, ...numbers(tests), time: seconds(tests.reduce((sum, { durationMs }) => sum + durationMs, 0)), timestamp: report.testDate.slice(0, 19) })}>`,
      ...tests.flatMap((test) => caseOf(test, name)),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

function caseOf(test: TestOutcome, suite: string): string[] {
  const { row, name, durationMs, verdict, reason = "", failure, level, notes, rules } = test;
  const head = attributes({
    name: `${row} ${name}`,
    classname: `acts.${suite.replaceAll(".", "_")}`,
    time: seconds(durationMs),
  });
  const said = [
    ...new Set(rules.map(({ rule }) => `read by the rule ${rule}`)),
    ...notes.map((note) => `note: ${note}`),
  ];
  const body = [
    ...(verdict === "skip" ? [`      <skipped${attributes({ message: reason })}/>`] : []),
    ...(verdict === "defect" ? [`      <skipped${attributes({ message: `defect of the test: ${reason}` })}/>`] : []),
    ...(verdict === "error" ? [`      <error${attributes({ message: reason, type: "error" })}/>`] : []),
    ...(failure
      ? [
          `      <failure${attributes({ message: cut(`${failure.step}: ${failure.message}`, 500), type: level })}>${factsOf(
            failure,
          )
            .map(([label, text]) => markup(`${label.padEnd(6)} ${cut(text, 2000)}`))
            .join("\n")}</failure>`,
        ]
      : []),
    ...(said.length ? [`      <system-out>${said.map(markup).join("\n")}</system-out>`] : []),
  ];
  return body.length ? [`    <testcase${head}>`, ...body, "    </testcase>"] : [`    <testcase${head}/>`];
}

function numbers(tests: readonly TestOutcome[]): Record<string, string> {
  const { total, failed, errors, skipped, defects } = countsOf(tests);
  const counts = { tests: total, failures: failed, errors, skipped: skipped + defects };
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]));
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

const attributes = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${markup(value)}"`)
    .join("");
