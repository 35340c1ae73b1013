import type { AddCommand } from "./command.ts";
import { addFleetViews } from "./fleet-report.ts";

export const addFleet: AddCommand = (program, screen, done) => {
  const fleet = program.command("fleet").description("Many agents: what sweeps found, and where they are.");
  addFleetViews(fleet, screen, done);
  for (const command of fleet.commands) command.exitOverride();
};
