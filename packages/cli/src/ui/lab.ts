import { existsSync } from "node:fs";
import type { FleetLedger, FleetReport } from "@assay/fleet";
import type { History } from "@assay/history";
import { RunFolder, readableRun } from "@assay/library/runs";
import { readSecret } from "@assay/library/secrets";
import { version } from "@assay/library/version";
import type { KeptFleets, KeptRuns, KnownRuns, Lab, TestbedDocument } from "@assay/web";
import { openRunHistory } from "../recorded/run-history.ts";
import { keptMatrices } from "./matrices.ts";
import { namedAgents } from "./named-agents.ts";
import { pageGateway } from "./page-gateway.ts";
import { type PageOperator, pageTest } from "./page-test.ts";
import { wayTo } from "./way-to.ts";

/** Returns the fleets of the default history or the named one. It opens the history on first use. */
function keptFleets(folder: RunFolder, given: string | undefined): KeptFleets & { close(): Promise<void> } {
  let opened: Promise<FleetLedger> | undefined;
  const made = new Map<string, FleetReport>();
  const ledger = async (): Promise<FleetLedger | undefined> => {
    // There is no history before the first run.
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
    // A running sweep changes, so its report is not cached.
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

/** The services that the page uses. */
export function createLab({
  folder = new RunFolder(),
  timeScale,
  matrices = [],
  history,
  address,
  operator,
}: {
  readonly folder?: RunFolder;
  /** of the built-in test bed */
  readonly timeScale: number;
  /** files of matrix documents, besides the recorded ones */
  readonly matrices?: readonly string[];
  /** the address of another history than the default one */
  readonly history?: string;
  /** the address of the agent on the command line */
  readonly address?: string;
  readonly operator?: PageOperator;
}): Lab {
  const known = knownRuns(folder, history);
  const fleets = keptFleets(folder, history);
  let testbed: Promise<{ readonly told: TestbedDocument; close(): Promise<void> }> | undefined;
  return {
    version,
    runs: keptRuns(folder),
    history: known,
    matrices: keptMatrices(matrices),
    fleets,
    agents: () => namedAgents(address),
    test: (wish, signal) => pageTest(wish, folder, signal, operator),
    testGateway: (wish, signal) => pageGateway(wish, folder, signal),
    reach: wayTo,
    async testbed() {
      testbed ??= startTestbed(timeScale);
      return (await testbed).told;
    },
    async close() {
      await (await testbed)?.close();
      await known.close();
      await fleets.close();
    },
  };
}

/**
 * Returns the runs of the default history or the named one. It opens the history on first use, and is empty without
 * one.
 */
function knownRuns(folder: RunFolder, given: string | undefined): KnownRuns & { close(): Promise<void> } {
  let opened: Promise<History | undefined> | undefined;
  const history = async (): Promise<History | undefined> => {
    opened ??= openRunHistory(folder, given);
    const found = await opened;
    // There is no history before the first run.
    if (!found) opened = undefined;
    return found;
  };
  return {
    list: async () => (await history())?.runs() ?? [],
    report: async (run) => (await history())?.report(run),
    close: async () => (await opened)?.close(),
  };
}

export const keptRuns = (folder: RunFolder): KeptRuns => ({
  list: () => folder.list(),
  read: (run) => readableRun(folder.eventsOf(run)),
});

async function startTestbed(timeScale: number): Promise<{ readonly told: TestbedDocument; close(): Promise<void> }> {
  const agents = await import("@assay/agents");
  const testbed = await agents.startTestbed({ host: "127.0.0.1", port: 0, version, timeScale });
  const { mutants } = await testbed.families();
  return {
    told: {
      url: testbed.url,
      agents: testbed.agents.map(({ path, name, description }) => ({ path, name, description })),
      mutants: mutants.map(({ id, does }) => ({ id, does })),
    },
    close: () => testbed.close(500),
  };
}
