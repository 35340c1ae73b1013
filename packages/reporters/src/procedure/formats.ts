import { code, countsOf, cut, jsonText, markup, prose } from "@assay/suite/text";
import type { Run } from "../run.ts";
import { type Procedure, type ProcedureRow, procedureOf } from "./procedure-report.ts";

/** Returns the result of a run by the procedure, on one line. It never states A2A conformance. */
export function procedureHeadline({ rows, report: { summary, conformanceLevel, outcome } }: Procedure): string {
  const level = outcome === "inconclusive" ? "inconclusive" : `level ${conformanceLevel}`;
  const warned = rows.filter(({ hasWarning }) => hasWarning).length;
  return `Procedure: ${level} (${countsOf({ ...summary, warned })})`;
}

/** The JSON of step 5.1. */
const json = (run: Run): string => `${jsonText(procedureOf(run).report, 2)}\n`;

/** A page with the answer, the failed tests with their recommendations, and every result. */
function markdown(run: Run): string {
  const procedure = procedureOf(run);
  const { rows, report } = procedure;
  const failed = rows.filter(({ status }) => status === "fail");
  const name = `${report.agentName} ${report.agentVersion}`.trim();
  return [
    `# ${prose(procedureHeadline(procedure))}`,
    "",
    `${name ? `${prose(cut(name, 300))}, ` : ""}${code(cut(report.agentUrl, 300))}, ${prose(report.testDate)}`,
    "",
    prose(
      "These are results of the interoperability procedure, which is stricter than A2A in places. They are not A2A conformance results.",
    ),
    "",
    "## Failed Tests",
    "",
    ...(failed.length
      ? table(
          ["Test", "Category", "Message", "Recommendation"],
          failed.map((row) => [row.test, row.category, row.message ?? "", row.recommendation]),
        )
      : ["None."]),
    "",
    "## All Tests",
    "",
    ...table(
      ["Step", "Test", "Category", "Status", "Message"],
      rows.map((row) => [row.step, row.test, row.category, row.status, row.message ?? ""]),
    ),
    "",
  ].join("\n");
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${head.join(" | ")} |`,
  `| ${head.map(() => "---").join(" | ")} |`,
  ...rows.map((cells) => `| ${cells.map((cell) => prose(cut(cell, 600))).join(" | ")} |`),
];

/** JUnit's XML: one suite, one class per category. An inconclusive run is an error, so that it does not look green. */
function junit(run: Run): string {
  const procedure = procedureOf(run);
  const { rows, report } = procedure;
  const isOpen = report.outcome === "inconclusive";
  const { total, failed, skipped } = report.summary;
  const counts = attributes({
    name: "procedure",
    tests: String(total + (isOpen ? 1 : 0)),
    failures: String(failed),
    errors: isOpen ? "1" : "0",
    skipped: String(skipped),
  });
  const open = isOpen
    ? [
        `    <testcase${attributes({ name: "the run reaches a verdict", classname: "procedure.run" })}>`,
        `      <error${attributes({ message: cut(run.report.levelBecause, 500), type: "inconclusive" })}/>`,
        "    </testcase>",
      ]
    : [];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${counts}>`,
    `  <testsuite${counts}>`,
    ...open,
    ...rows.flatMap(caseOf),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function caseOf({
  step,
  test,
  category,
  status,
  message = "",
  duration_ms = 0,
  recommendation,
}: ProcedureRow): string[] {
  const head = attributes({
    name: `${step} ${test}`,
    classname: `procedure.${category}`,
    time: (duration_ms / 1000).toFixed(3),
  });
  if (status === "pass") return [`    <testcase${head}/>`];
  const body =
    status === "skip"
      ? `      <skipped${attributes({ message: cut(message, 500) })}/>`
      : `      <failure${attributes({ message: cut(message, 500), type: "procedure" })}>${markup(recommendation)}</failure>`;
  return [`    <testcase${head}>`, body, "    </testcase>"];
}

const attributes = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${markup(value)}"`)
    .join("");

/** Report formats of the procedure. */
export const procedureReporters = { json, markdown, junit } satisfies Record<string, (run: Run) => string>;
