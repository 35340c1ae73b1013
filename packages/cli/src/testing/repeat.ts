import { type ConformanceReport, resultsOf, ruleKey, type VerdictName, whereOf } from "@assay/suite/report";
import { type ExitCode, exitCodes } from "../exit.ts";
import { plural } from "../phrases.ts";
import type { TestInvocation } from "./invocation.ts";
import { testOnce } from "./one-run.ts";
import { gravest } from "./several.ts";

/** Repeats the test, and lists the verdicts that differ between runs. */
export async function repeat(invocation: TestInvocation, times: number): Promise<ExitCode> {
  const { people } = invocation;
  const codes: ExitCode[] = [];
  const reports: ConformanceReport[] = [];
  for (let nth = 1; nth <= times; nth++) {
    people.line(`run ${nth} of ${times}`);
    const { code, report } = await testOnce(invocation);
    codes.push(code);
    if (report) reports.push(report);
    people.line();
    if (code === exitCodes.interrupted) break;
  }
  for (const line of differenceLines(reports)) people.line(line);
  return gravest(codes);
}

interface Difference {
  readonly rule: string;
  readonly where: string;
  /** in the order of the runs */
  readonly verdicts: readonly VerdictName[];
}

/** Returns the verdicts that differ between runs, including rules that appear in only one of them. */
function differencesIn(reports: readonly ConformanceReport[]): Difference[] {
  const seen = new Map<string, { rule: string; where: string; verdicts: VerdictName[] }>();
  for (const [nth, report] of reports.entries())
    for (const result of resultsOf(report)) {
      const key = `${ruleKey(result)} ${whereOf(result)} ${result.interface?.url ?? ""}`;
      const entry = seen.get(key) ?? { rule: result.test, where: whereOf(result), verdicts: [] };
      entry.verdicts[nth] = result.verdict;
      seen.set(key, entry);
    }
  return [...seen.values()]
    .map(({ verdicts, ...place }) => ({ ...place, verdicts: reports.map((_, nth) => verdicts[nth] ?? "not-examined") }))
    .filter(({ verdicts }) => new Set(verdicts).size > 1);
}

function differenceLines(reports: readonly ConformanceReport[]): string[] {
  if (reports.length < 2) return [];
  const differences = differencesIn(reports);
  if (!differences.length) return [`${plural(reports.length, "run")}, always the same verdicts.`];
  return [
    `${plural(differences.length, "verdict")} differed in ${plural(reports.length, "run")}:`,
    ...differences.map(({ rule, where, verdicts }) => `  ${rule} ${where}: ${verdicts.join(", ")}`),
  ];
}
