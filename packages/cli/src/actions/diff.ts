import { findRun, RunFolder, readReport } from "@assay/library/runs";
import { comparisonMarkdown } from "@assay/reporters";
import {
  type Comparison,
  type ConformanceReport,
  compareReports,
  comparisonTitle,
  type RuleChange,
  rulesIn,
} from "@assay/suite/report";
import type { DiffFlags } from "../commands/diff.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { plural } from "../phrases.ts";
import { reportInHistory } from "../recorded/run-history.ts";
import { escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";

/** Runs `assay diff`: reads two runs, prints what changed, and fails on new failures. */
export async function compareRuns(
  before: string,
  after: string,
  flags: DiffFlags,
  screen: Screen,
  folder = new RunFolder(),
): Promise<ExitCode> {
  if (flags.json && flags.markdown) throw new UsageError("--json and --markdown cannot be combined");
  const report = (run: string) => reportOf(run, folder, flags.history);
  const comparison = compareReports(await report(before), await report(after));
  if (flags.json) screen.json(comparison, 2);
  else if (flags.markdown) screen.write(comparisonMarkdown(comparison));
  else show(comparison, screen);
  return comparison.regressed ? exitCodes.agent : exitCodes.fine;
}

/** Returns the report of a run from its recording, or from the history if the recording is gone. */
async function reportOf(run: string, folder: RunFolder, given: string | undefined): Promise<ConformanceReport> {
  try {
    return readReport(findRun(run, folder));
  } catch (error) {
    const found = error instanceof UsageError ? await reportInHistory(run, folder, given) : undefined;
    if (!found) throw error;
    return found;
  }
}

/** The headings in the order of the output, good news last. */
const titles: Record<RuleChange["change"], string> = {
  broken: "broken",
  found: "found",
  unknown: "unknown",
  still: "unchanged",
  gone: "gone",
  fixed: "fixed",
};

const meanings: Partial<Record<RuleChange["change"], string>> = {
  broken: "fail; they passed before",
  found: "fail; they were not examined before",
  unknown: "failed; they were not examined again",
  gone: "failed; they no longer apply to the agent",
};

function show(comparison: Comparison, screen: Screen): void {
  const { before, after, changes, coverage } = comparison;
  const { line, colors } = screen;
  const title = comparisonTitle(comparison);
  line(comparison.regressed ? colors.red(colors.bold(title)) : colors.bold(title));
  if (before.agentUrl !== after.agentUrl)
    line(`The runs have different addresses: ${escapeText(before.agentUrl)} and ${escapeText(after.agentUrl)}`);
  if (before.ruleSet !== after.ruleSet)
    line(
      `The runs use different rule sets: ${escapeText(before.ruleSet)} and ${escapeText(after.ruleSet)}. A rule may be stricter now.`,
    );
  line(`before  ${stateOf(before)}`);
  line(`after   ${stateOf(after)}`);
  line();
  for (const kind of Object.keys(titles) as RuleChange["change"][]) {
    const some = changes.filter(({ change }) => change === kind);
    if (!some.length) continue;
    const paint = kind === "broken" || kind === "found" ? colors.red : kind === "fixed" ? colors.green : colors.dim;
    line(`${paint(titles[kind].padEnd(10))} ${String(rulesIn(some)).padStart(3)}   ${meanings[kind] ?? ""}`.trimEnd());
    for (const { test, places, message, title: promise, accepted } of some)
      line(
        `  ${test}  ${places.join(", ")}   ${colors.dim(`${escapeText(message ?? promise)}${accepted ? " (accepted)" : ""}`)}`,
      );
  }
  if (!changes.length) line("No rule is broken in either run.");
  const { gained, lost } = coverage;
  if (gained.length) line(`Examined now, but not before: ${rulesMore(gained)}`);
  if (lost.length) line(`Examined before, but not now: ${rulesMore(lost)}`);
}

/** Returns "3 rules: A-1, A-2, A-3", or only the first few of them. */
const rulesMore = (rules: readonly string[]): string =>
  `${plural(rules.length, "rule")} (${rules.slice(0, 6).join(", ")}${rules.length > 6 ? " …" : ""})`;

const stateOf = ({ run, outcome, conformanceLevel, examined, applicable }: Comparison["before"]): string =>
  `${escapeText(run)} ${outcome.replace("-", " ")}${conformanceLevel ? `, ${conformanceLevel}` : ""}, examined ${examined} of ${applicable}`;
