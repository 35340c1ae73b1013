import { code, cut, prose } from "@assay/protocol/escape";
import type { TestOutcome } from "./outcome.ts";
import { factsOf } from "./outcome.ts";
import { type ActsReport, type Counts, outcomesOf } from "./report.ts";

/** Writes a page for a pull request: the result first, then failures, then everything else. */
export function actsMarkdown(report: ActsReport): string {
  const outcomes = outcomesOf(report);
  const of = (verdict: TestOutcome["verdict"]): TestOutcome[] => outcomes.filter((each) => each.verdict === verdict);
  const { agentName, agentVersion, agentUrl, summary, testDate, tool } = report;
  return [
    `## ACTS: ${sentence(`${agentName} ${agentVersion}`.trim() || agentUrl)}`,
    "",
    `**${summary.failed} failed, ${summary.passed} passed** of ${summary.total} (${summary.skipped} skipped, ${summary.defects} defects of the corpus, ${summary.errors} errors)`,
    "",
    `Agent ${code(cut(agentUrl, 300))} · ${sentence(testDate)}`,
    "",
    "| level | passed | failed | skipped | defects | errors |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...Object.entries(summary.by_level).map(([level, counts]) => levelRow(level, counts)),
    "",
    ...section("Failed", of("fail").slice(0, 200).map(failureBlock)),
    ...section("Internal and network errors", of("error").map(reasonLine)),
    ...section("Defects of the corpus", of("defect").map(reasonLine)),
    ...section("Skipped", of("skip").map(reasonLine)),
    ...section(
      "Other findings in the traffic",
      report.traffic
        .slice(0, 100)
        .map(({ test, message, warning, title }) => `- **${sentence(test)}** ${sentence(message ?? warning ?? title)}`),
    ),
    ...section(
      "Interpretation rules applied (docs/acts.md)",
      Object.entries(report.rules).map(([rule, tests]) => `- ${code(rule)}: ${tests} tests`),
    ),
    `<sub>assay ${sentence(tool.version)}</sub>`,
    "",
  ].join("\n");
}

const sentence = (text: string): string => prose(cut(text, 600));

const levelRow = (level: string, { passed, failed, skipped, defects, errors }: Counts): string =>
  `| ${level.toUpperCase()} | ${passed} | ${failed} | ${skipped} | ${defects} | ${errors} |`;

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length ? [`### ${title}`, "", ...lines, ""] : [];

const failureBlock = ({ row, name, level, failure }: TestOutcome): string =>
  [
    `- **${sentence(row)}** (${level}) ${sentence(name)}: ${sentence(failure ? `${failure.step}: ${failure.message}` : "")}`,
    ...(failure ? factsOf(failure).map(([label, text]) => `  - ${label}: ${code(cut(text, 1500))}`) : []),
  ].join("\n");

const reasonLine = ({ row, reason = "" }: TestOutcome): string => `- **${sentence(row)}** ${sentence(reason)}`;
