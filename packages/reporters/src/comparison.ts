import { type Comparison, comparisonTitle, type RuleChange, rulesIn } from "@assay/suite/report";
import { code, prose } from "@assay/suite/text";

const titles: Record<RuleChange["change"], string> = {
  broken: "Broken: passed before",
  found: "Found: fails, and was not examined before",
  unknown: "Unknown: failed before, and was not examined again",
  still: "Unchanged: fails as before",
  gone: "Gone: failed before, and no longer applies to the agent",
  fixed: "Fixed",
};

/** Limits the rows of one kind, so that a comment on a pull request stays readable. */
const mostRows = 100;

/** Returns the changes between two runs, for a pull request. Regressions come first. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { before, after, changes, coverage } = comparison;
  const lines = [
    `### ${comparisonTitle(comparison)}`,
    "",
    "| | outcome | level | examined | run |",
    "|---|---|---|---|---|",
    ...[["before", before] as const, ["after", after] as const].map(
      ([when, { outcome, conformanceLevel, examined, applicable, run }]) =>
        `| ${when} | ${outcome.replace("-", " ")} | ${conformanceLevel ?? "none"} | ${examined} of ${applicable} | ${code(run)} |`,
    ),
    "",
  ];
  for (const kind of Object.keys(titles) as RuleChange["change"][]) {
    const some = changes.filter(({ change }) => change === kind);
    if (!some.length) continue;
    lines.push(`**${titles[kind]}** (${rulesIn(some)})`, "");
    for (const { test, places, message, title, accepted } of some.slice(0, mostRows))
      lines.push(
        `- ${code(test)} ${prose(places.join(", "))}: ${prose(message ?? title)}${accepted ? " (accepted)" : ""}`,
      );
    if (some.length > mostRows) lines.push(`- … and ${some.length - mostRows} more`);
    lines.push("");
  }
  const { gained, lost } = coverage;
  if (gained.length) lines.push(`Rules examined that were not before: ${gained.length}.`, "");
  if (lost.length) lines.push(`Rules no longer examined: ${lost.length}.`, "");
  return lines.join("\n");
}
