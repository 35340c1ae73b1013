import type { ContractOutcome, ContractReport, ContractRequirement } from "@assay/clients";
import type { Screen } from "./screen.ts";

interface Told {
  readonly report: ContractReport;
  readonly outcomes: ReadonlyMap<string, ContractOutcome>;
  readonly requirements: readonly ContractRequirement[];
  readonly file: string;
}

const mostFaults = 4;

const tierNames = { 1: "Core", 2: "Standard", 3: "Advanced" } as const;

/** Prints the failed requirements of a tool, then the tier that it reaches. */
export function tellContract({ report, outcomes, requirements, file }: Told, screen: Screen): void {
  const { bold, red, yellow, green, dim } = screen.colors;
  for (const { id, title } of requirements) {
    const { status, faults } = outcomes.get(id) ?? { status: "not_measured", faults: [] };
    if (status !== "fail" && status !== "partial") continue;
    screen.line();
    screen.line(`${status === "fail" ? red("FAIL") : yellow("PARTIAL")} ${bold(id)} ${title}`);
    // If the core of a requirement is missing, its other faults mostly follow from that.
    const shown = faults.slice(0, status === "fail" ? 1 : mostFaults);
    for (const { expected, seen, fix, command } of shown) {
      screen.line(`  expected  ${expected}`);
      screen.line(`  seen      ${seen}`);
      screen.line(`  fix       ${fix}`);
      if (command !== undefined) screen.line(dim(`  run       ${command}`));
    }
    if (faults.length > shown.length) screen.line(dim(`  and ${faults.length - shown.length} more`));
  }
  tellUnmeasured(outcomes, screen);
  screen.line();
  for (const [key, row] of Object.entries(report.summary)) {
    const tier = Number(key.slice(-1)) as keyof typeof tierNames;
    const counts = [
      `${row.pass} pass`,
      ...(row.partial ? [`${row.partial} partial`] : []),
      ...(row.fail ? [`${row.fail} fail`] : []),
      ...(row.not_measured ? [`${row.not_measured} not measured`] : []),
      ...(row.na ? [`${row.na} not applicable`] : []),
    ];
    const end = row.satisfied ? green("satisfied") : red("not satisfied");
    screen.line(`Tier ${tier} ${tierNames[tier].padEnd(8)}  ${counts.join(", ")} of ${row.total}: ${end}`);
  }
  screen.line(bold(`Tier reached: ${report.report.tier_claimed}`));
  screen.line(`Report: ${file}`);
}

/** Prints why requirements were not measured, each reason once. */
function tellUnmeasured(outcomes: ReadonlyMap<string, ContractOutcome>, screen: Screen): void {
  const byReason = new Map<string, string[]>();
  for (const [id, { status, note = "" }] of outcomes)
    if (status === "not_measured") byReason.set(note, [...(byReason.get(note) ?? []), id]);
  if (!byReason.size) return;
  screen.line();
  screen.line(screen.colors.bold("Not measured, which never counts as a pass:"));
  for (const [reason, ids] of byReason) screen.line(`  ${reason}: ${ids.join(", ")}`);
}
