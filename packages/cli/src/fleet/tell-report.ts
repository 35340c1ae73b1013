import { type AgentClass, type FleetReport, fleetWords } from "@assay/fleet";
import type { Screen } from "../terminal/screen.ts";

/** Lines of each list on a screen. */
const most = 10;

/** A report in a few lines, for who is at the terminal. */
export function tellFleetReport(report: FleetReport, screen: Screen): void {
  const { colors } = screen;
  const { headlineOf, sweepText, shareText, changeText, changeWords, classFacts } = fleetWords;
  screen.line(colors.bold(`${report.fleet}: ${headlineOf(report)}`));
  screen.line([sweepText(report), shareText(report)].filter(Boolean).join("; "));
  screen.line();
  for (const [named, count] of Object.entries(report.classes))
    screen.line(`  ${String(count).padStart(6)}  ${classFacts(named as AgentClass).words}`);
  section(
    screen,
    report.comparedWith ? `Since ${report.comparedWith.startedAt.slice(0, 10)}` : "",
    report.changes,
    (change) => `${changeWords[change.kind].padEnd(10)} ${change.agent}  ${changeText(change)}`,
  );
  section(
    screen,
    "Most common failures",
    report.failures,
    ({ agents, rule, title }) => `${String(agents).padStart(6)}  ${rule}  ${title}`,
  );
  section(
    screen,
    "Why the other agents do not count as working",
    report.reasons,
    ({ agents, class: named, code, remedy }) =>
      `${String(agents).padStart(6)}  ${classFacts(named).words} (${code}): ${remedy}`,
  );
  section(
    screen,
    "By SDK",
    report.builtWith,
    ({ agents, name, classes }) => `${String(agents).padStart(6)}  ${name}, ${classes.working ?? 0} working`,
  );
}

function section<T>(screen: Screen, title: string, rows: readonly T[], text: (row: T) => string): void {
  if (rows.length === 0 || title === "") return;
  screen.line();
  screen.line(screen.colors.bold(title));
  for (const row of rows.slice(0, most)) screen.line(`  ${text(row)}`);
  if (rows.length > most) screen.line(`  and ${rows.length - most} more: --report markdown, or --out <folder>`);
}
