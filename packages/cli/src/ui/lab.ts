import { existsSync } from "node:fs";
import type { FleetLedger, FleetReport } from "@assay/fleet";
import type { History } from "@assay/history";
import { clientOptions, givenCredentials, parseAddress, program, tokenGetter } from "@assay/library/connection";
import { RunFolder, readableRun } from "@assay/library/runs";
import { readSecret } from "@assay/library/secrets";
import { version } from "@assay/library/version";
import type { AgentAccess, AgentWay, KeptFleets, KeptRuns, KnownRuns, Lab, TestbedDocument } from "@assay/web";
import { openRunHistory } from "../recorded/run-history.ts";
import { loginOf } from "./login.ts";
import { keptMatrices } from "./matrices.ts";
import { type PageOperator, pageTest } from "./page-test.ts";
import { rethrown } from "./rethrown.ts";

/** The fleets of the history beside the recordings, or of the one that was named; opened when they are first asked for. */
function keptFleets(folder: RunFolder, given: string | undefined): KeptFleets & { close(): Promise<void> } {
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

/** The way to an agent that the page names, as `assay send` would go. */
const wayTo = (access: AgentAccess): Promise<AgentWay> => readWay(access).catch(rethrown);

async function readWay(access: AgentAccess): Promise<AgentWay> {
  const url = parseAddress(access.url);
  const login = await loginOf(access, tokenGetter(clientOptions([], {})));
  const inAddress = await givenCredentials({}, program, access.url);
  const isGiven = login.headers.some(([name]) => name.toLowerCase() === "authorization");
  return {
    url,
    headers: [...login.headers, ...(isGiven ? [] : inAddress.headers)],
    secrets: [...login.secrets, ...inAddress.secrets],
    connection: clientOptions([url], {}),
  };
}

/** The services that the page uses. */
export function createLab({
  folder = new RunFolder(),
  timeScale,
  matrices = [],
  history,
  operator,
}: {
  readonly folder?: RunFolder;
  /** of the built-in test bed */
  readonly timeScale: number;
  /** files of matrix documents, besides those that are kept */
  readonly matrices?: readonly string[];
  /** where the history is, besides the one that is kept with the recordings */
  readonly history?: string;
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
    test: (wish, signal) => pageTest(wish, folder, signal, operator),
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

/** The history beside the recordings, or the one that was named; opened when it is first asked for, and none where it cannot be had. */
function knownRuns(folder: RunFolder, given: string | undefined): KnownRuns & { close(): Promise<void> } {
  let opened: Promise<History | undefined> | undefined;
  const history = async (): Promise<History | undefined> => {
    opened ??= openRunHistory(folder, given);
    const found = await opened;
    // There is none before the first run.
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
