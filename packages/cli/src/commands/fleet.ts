import type { AddCommand } from "./command.ts";
import { addFleetViews } from "./fleet-report.ts";
import { addFleetRun } from "./fleet-run.ts";

export const addFleet: AddCommand = (program, screen, done) => {
  const fleet = program
    .command("fleet")
    .description("Many agents: which work, which do not, why, and what changed since last time.");
  addFleetRun(fleet, screen, done);
  addFleetViews(fleet, screen, done);
  for (const command of fleet.commands) command.exitOverride();
};
