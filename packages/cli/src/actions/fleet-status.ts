import { type AgentClass, type FleetStatus, fleetStatus, fleetWords } from "@assay/fleet";
import type { FleetStatusFlags } from "../commands/fleet.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { ledgerToRead } from "../fleet/open-stores.ts";
import { duration, plural } from "../phrases.ts";
import type { Screen } from "../terminal/screen.ts";

export async function tellFleetStatus(flags: FleetStatusFlags, screen: Screen): Promise<ExitCode> {
  const ledger = await ledgerToRead(flags.history, screen);
  try {
    const fleets = await fleetStatus(ledger, flags.fleet);
    if (flags.json) screen.json(fleets, 2);
    else if (fleets.length === 0) screen.line("No sweep yet. Run assay fleet <list>.");
    else for (const [index, fleet] of fleets.entries()) tell(fleet, screen, index > 0, Date.now());
    return fleets.length === 0 ? exitCodes.usage : exitCodes.fine;
  } finally {
    await ledger.close();
  }
}

function tell(status: FleetStatus, screen: Screen, isNext: boolean, now: number): void {
  const { fleet, last, running, classes, agents, newest, oldest } = status;
  const ago = (iso: string): string => `${ageText(now - Date.parse(iso))} ago`;
  if (isNext) screen.line();
  screen.line(screen.colors.bold(`${fleet}: ${plural(agents, "agent")}`));
  if (last?.endedAt !== undefined) {
    const took = duration(Date.parse(last.endedAt) - Date.parse(last.startedAt));
    screen.line(`  last sweep ${last.sweep}, ended ${ago(last.endedAt)}, took ${took}`);
  }
  for (const sweep of running) {
    const heard = sweep.lastVerdict === undefined ? "no verdict yet" : `last verdict ${ago(sweep.lastVerdict)}`;
    screen.line(
      `  open sweep ${sweep.sweep}, started ${ago(sweep.startedAt)}: ${sweep.settled} of ${sweep.agents} done, ${sweep.waiting} waiting, ${heard}`,
    );
  }
  if (newest !== undefined && oldest !== undefined) screen.line(`  verdicts from ${ago(oldest)} to ${ago(newest)}`);
  for (const [named, count] of Object.entries(classes))
    screen.line(`  ${String(count).padStart(6)}  ${fleetWords.classFacts(named as AgentClass).words}`);
}

/** Returns how long ago something was: "40 s", "12 min", "5 h", "3 d". */
function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}
