import type { AgentClass } from "../classes/agent-class.ts";
import type { FleetVerdict, Sweep } from "../ledger/verdict.ts";
import { classCounts, type FleetSource } from "./make.ts";

/** The current state of a fleet. */
export interface FleetStatus {
  readonly fleet: string;
  /** the newest finished sweep */
  readonly last?: Sweep;
  /** unfinished sweeps, newest first: running or interrupted */
  readonly running: readonly RunningSweep[];
  /** number of agents by class, from the newest verdict of each */
  readonly classes: Readonly<Partial<Record<AgentClass, number>>>;
  readonly agents: number;
  /** the times of the newest and the oldest of these verdicts, ISO 8601 */
  readonly newest?: string;
  readonly oldest?: string;
}

export interface RunningSweep extends Sweep {
  /** number of agents with a verdict */
  readonly settled: number;
  /** number of agents without a verdict */
  readonly waiting: number;
  /** time of the latest verdict, ISO 8601 */
  readonly lastVerdict?: string;
}

/** Sweeps that count as running. An older one without an end was interrupted. */
const mostRunning = 5;

export async function fleetStatus(source: FleetSource, fleet?: string): Promise<FleetStatus[]> {
  const sweeps = await source.sweeps(fleet);
  const fleets = [...new Set(sweeps.map((sweep) => sweep.fleet))];
  return Promise.all(
    fleets.map((name) =>
      statusOf(
        source,
        name,
        sweeps.filter((sweep) => sweep.fleet === name),
      ),
    ),
  );
}

async function statusOf(source: FleetSource, fleet: string, sweeps: readonly Sweep[]): Promise<FleetStatus> {
  const lastAt = sweeps.findIndex(({ endedAt }) => endedAt !== undefined);
  const open = lastAt < 0 ? sweeps : sweeps.slice(0, lastAt);
  const verdicts = await source.latest(fleet);
  const times = verdicts.map(({ at }) => at).sort();
  return {
    fleet,
    ...(lastAt >= 0 && { last: sweeps[lastAt]! }),
    running: await Promise.all(open.slice(0, mostRunning).map((sweep) => runningOf(source, sweep))),
    classes: classCounts(verdicts),
    agents: verdicts.length,
    ...(times.length > 0 && { newest: times.at(-1)!, oldest: times[0]! }),
  };
}

async function runningOf(source: FleetSource, sweep: Sweep): Promise<RunningSweep> {
  const verdicts: readonly FleetVerdict[] = await source.verdicts(sweep.sweep);
  const lastVerdict = verdicts.reduce<string | undefined>((last, { at }) => (last && last > at ? last : at), undefined);
  return {
    ...sweep,
    settled: verdicts.length,
    waiting: Math.max(0, sweep.agents - verdicts.length),
    ...(lastVerdict !== undefined && { lastVerdict }),
  };
}
