import { existsSync } from "node:fs";
import type { FleetLedger, FleetReport } from "@assay/fleet";
import { readSecret } from "@assay/library/secrets";
import { version } from "@assay/library/version";
import type { KeptFleets } from "@assay/web";
import type { RunFolder } from "../recorded/run-folder.ts";

/** The fleets of the history beside the recordings, or of the one that was named; opened when they are first asked for. */
export function keptFleets(folder: RunFolder, given: string | undefined): KeptFleets & { close(): Promise<void> } {
  let opened: Promise<FleetLedger> | undefined;
  const made = new Map<string, FleetReport>();
  const ledger = async (): Promise<FleetLedger | undefined> => {
    // There is none before the first run.
    if (given === undefined && !existsSync(folder.history)) return undefined;
    const { openLedger } = await import("@assay/fleet");
    const address = given === undefined ? `sqlite:${folder.history}` : readSecret("--history", given, () => {});
    opened ??= openLedger(address);
    return opened.catch(() => {
      opened = undefined;
      return undefined;
    });
  };
  const reportOf = async (source: FleetLedger, fleet: string): Promise<FleetReport | undefined> => {
    const sweeps = await source.sweeps(fleet);
    const sweep = sweeps.find(({ endedAt }) => endedAt !== undefined) ?? sweeps[0];
    if (!sweep) return undefined;
    const known = made.get(sweep.sweep);
    if (known) return known;
    const { fleetReport } = await import("@assay/fleet");
    const report = await fleetReport(source, { fleet, sweep: sweep.sweep, version });
    // One that is under way will say something else next time.
    if (sweep.endedAt !== undefined) made.set(sweep.sweep, report);
    return report;
  };
  return {
    async list() {
      const sweeps = (await (await ledger())?.sweeps()) ?? [];
      const newest = new Map(sweeps.toReversed().map((sweep) => [sweep.fleet, sweep]));
      return [...newest.values()].map(({ fleet, startedAt, agents }) => ({ fleet, startedAt, agents }));
    },
    async read(fleet) {
      const source = await ledger();
      const report = source && (await reportOf(source, fleet));
      if (!report) return undefined;
      const { shownFleet } = await import("@assay/fleet/view");
      return shownFleet(report);
    },
    async agent(fleet, agent) {
      const source = await ledger();
      const report = source && (await reportOf(source, fleet));
      const row = report?.agents.find((each) => each.agent === agent);
      if (!source || !report || !row) return undefined;
      const { shownAgent } = await import("@assay/fleet/view");
      const [newest] = (await source.agent(fleet, agent)).filter(({ sweep }) => sweep === report.sweep.sweep);
      return shownAgent(report, row, source, newest?.reason.evidence);
    },
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}
