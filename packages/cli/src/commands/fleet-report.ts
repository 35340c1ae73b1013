import { collect, days } from "../flag-values.ts";
import type { AddCommand } from "./command.ts";

export interface FleetStatusFlags {
  readonly fleet?: string;
  readonly history?: string;
  readonly json?: boolean;
}

export interface FleetReportFlags {
  readonly fleet?: string;
  readonly sweep?: string;
  readonly history?: string;
  readonly report?: string[];
  readonly out?: string;
  readonly contact?: string;
  readonly hallmarkKey?: string;
  readonly issuer?: string;
  readonly validDays: number;
  readonly revocations?: string;
}

const historyText =
  "where the fleet is kept: sqlite:<file> or postgres://…, env:NAME or @file (.assay/history.db, unless given)";

/** What is told of a fleet; below the command `fleet`. */
export const addFleetViews: AddCommand = (fleet, screen, done) => {
  fleet
    .command("status")
    .description("Where a fleet is: its last sweep, the open ones and what waits, how many agents are in each class.")
    .option("--fleet <name>", "only this fleet")
    .option("--history <address>", historyText)
    .option("--json", "print it as JSON, and nothing else")
    .addHelpText("after", "\nExit codes: 0 told · 2 no fleet was swept yet · 3 our own error")
    .action(async (flags: FleetStatusFlags) => {
      const { tellFleetStatus } = await import("../actions/fleet-status.ts");
      done(await tellFleetStatus(flags, screen));
    });
  fleet
    .command("report")
    .description(
      "What a sweep found: the league, what changed, the commonest failures; as files, or as a site with a page for each agent.",
    )
    .option("--fleet <name>", "whose report (the only fleet there is, unless given)")
    .option("--sweep <name>", "which sweep (the last that came to its end, unless given)")
    .option("--history <address>", historyText)
    .option("--report <format[=file]>", "json, markdown or html, to a file or the output (repeatable)", collect)
    .option("--out <folder>", "the site: index.html, a page and a badge for each agent, hallmarks")
    .option("--contact <text>", "how owners of agents reach you: stands on their pages")
    .option("--hallmark-key <key>", "sign hallmarks with this private key, @file or env:NAME: docs/hallmark.md")
    .option("--issuer <name>", "in whose name they are signed")
    .option("--valid-days <n>", "how long they are good, from the test on", days, 90)
    .option("--revocations <file>", "your list of revocations: what is in it is not signed again")
    .addHelpText(
      "after",
      `
Examples:
  $ assay fleet report                                             what there is to know, on the screen
  $ assay fleet report --report json=fleet.json --report markdown=fleet.md
  $ assay fleet report --out public --contact ops@registry.example
  $ assay fleet report --out public --hallmark-key @registry.pem --issuer https://registry.example

Exit codes: 0 written · 2 wrong usage, or nothing was swept yet · 3 our own error, or a file that could not be written`,
    )
    .action(async (flags: FleetReportFlags) => {
      const { reportFleet } = await import("../actions/fleet-report.ts");
      done(await reportFleet(flags, screen));
    });
};
