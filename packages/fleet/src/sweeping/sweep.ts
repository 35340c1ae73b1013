import { randomBytes } from "node:crypto";
import { classFacts } from "../classes/agent-class.ts";
import type { FleetJob } from "../examining/examination.ts";
import { unexamined } from "../examining/unexamined.ts";
import type { FleetLedger, FleetVerdict, Sweep } from "../ledger/verdict.ts";
import type { ListedAgent } from "../listing/listed-agent.ts";
import type { FleetQueue } from "../queue/fleet-queue.ts";
import { InProcessQueue } from "../queue/in-process.ts";
import { followSweep, type SweepProgress } from "./follow.ts";
import { type HandlerOptions, jobHandler } from "./job-handler.ts";
import { type Regression, regressionsIn } from "./regressions.ts";
import { verdictOf } from "./verdict-of.ts";

/** Creates a sweep that begins now; names sort by time. */
export function newSweep(fleet: string, agents: number, now = new Date()): Sweep {
  const at = now.toISOString();
  const name = at.slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  return { sweep: `sweep-${name}-${randomBytes(3).toString("hex")}`, fleet, startedAt: at, agents };
}

/** Creates the jobs of a sweep. Each contains the last card digest if the last verdict may be repeated. */
export function jobsFor(sweep: string, agents: readonly ListedAgent[], latest: readonly FleetVerdict[]): FleetJob[] {
  const known = new Map(latest.map((verdict) => [verdict.agent, verdict]));
  return agents.map((agent) => {
    const verdict = agent.notBefore === undefined ? undefined : known.get(agent.name);
    const { cardDigest } = verdict ?? {};
    if (!verdict || cardDigest === undefined || !classFacts(verdict.class).lasts) return { sweep, agent };
    return { sweep, agent, before: { cardDigest, at: Date.parse(verdict.examinedAt ?? verdict.at) } };
  });
}

/** Callbacks for the progress of a sweep. */
export interface SweepListener {
  settled(verdict: FleetVerdict): void;
  progress(progress: SweepProgress): void;
  /** an interrupted sweep is continued */
  resumed(sweep: Sweep): void;
  /** jobs wait in the shared queue, and no worker takes them */
  noWorkers(): void;
}

export interface SweepOptions extends Omit<HandlerOptions, "jobOf" | "dropped" | "settled" | "ledger" | "now"> {
  readonly ledger: FleetLedger;
  /** the queue that workers take from; without one, agents are examined in this process */
  readonly shared?: FleetQueue | undefined;
  /** agents examined at a time in this process */
  readonly concurrency: number;
  /** starts a new sweep although the last one was interrupted */
  readonly fresh?: boolean | undefined;
  /** examines only the agents of these names, in a new sweep; the others keep their last verdicts */
  readonly only?: ReadonlySet<string> | undefined;
  /** milliseconds after which no further agent is examined */
  readonly maxTime?: number | undefined;
  readonly listener: SweepListener;
  readonly signal: AbortSignal;
}

export interface SweepOutcome {
  readonly sweep: Sweep;
  /** the verdicts on the agents that the sweep was to examine */
  readonly verdicts: readonly FleetVerdict[];
  readonly regressions: readonly Regression[];
}

const ownPace = { lookMs: 250 };
/** Intervals for a database that many processes share, with fewer queries for progress and lost jobs. */
const sharedPace = { lookMs: 2_000, quietMs: 60_000 };

/**
 * Sweeps over all agents of a fleet once, continuing an interrupted sweep. Returns undefined if it is interrupted
 * again.
 */
export async function sweepOnce(
  fleet: string,
  agents: readonly ListedAgent[],
  options: SweepOptions,
): Promise<SweepOutcome | undefined> {
  const { ledger, shared, listener, maxTime, signal, worker, only } = options;
  const sweep = await sweepFor(fleet, agents.length, options);
  const before = await ledger.latest(fleet, sweep.sweep);
  const jobs = jobsFor(sweep.sweep, agents, before);
  const byAgent = new Map(jobs.map((job) => [job.agent.name, job]));
  const names = [...byAgent.keys()].filter((name) => only?.has(name) ?? true);
  // Workers read their jobs from the ledger, so write access to the queue does not control their requests.
  if (shared)
    await ledger.plan(
      sweep.sweep,
      names.map((name) => byAgent.get(name)!),
    );
  const over = new AbortController();
  const clock = maxTime === undefined ? undefined : setTimeout(() => over.abort(), maxTime);
  const stop = AbortSignal.any([signal, over.signal]);
  const queue = shared ?? new InProcessQueue();
  const handle = jobHandler({ ...options, jobOf: async ({ agent }) => byAgent.get(agent), settled: listener.settled });
  const working = shared ? undefined : queue.work(handle, { concurrency: options.concurrency, signal: stop });
  try {
    await followSweep({
      sweep: sweep.sweep,
      agents: names,
      ledger,
      queue,
      signal: stop,
      told: listener.progress,
      quiet: ({ waiting, active }) => {
        if (shared && waiting > 0 && active === 0) listener.noWorkers();
      },
      ...(shared ? sharedPace : ownPace),
    });
  } finally {
    clearTimeout(clock);
    over.abort();
    await working;
    if (!shared) await queue.close();
  }
  if (signal.aborted) return undefined;
  const examined = new Set(names);
  const known = new Map(before.map((verdict) => [verdict.agent, verdict]));
  for (const agent of await ledger.unsettled(sweep.sweep, [...byAgent.keys()])) {
    const by = { attempts: 0, at: new Date().toISOString(), worker };
    const without = unexamined(examined.has(agent) ? "sweep-over" : "not-selected", 0);
    const last = examined.has(agent) ? undefined : known.get(agent);
    await ledger.settle(verdictOf(byAgent.get(agent)!, last ? { ...without, unchanged: true } : without, by, last));
  }
  await ledger.end(sweep.sweep, new Date().toISOString());
  const verdicts = (await ledger.verdicts(sweep.sweep)).filter(({ agent }) => examined.has(agent));
  return { sweep, verdicts, regressions: regressionsIn(before, verdicts) };
}

/** Returns the sweep that was interrupted, or a new one. */
async function sweepFor(
  fleet: string,
  agents: number,
  { ledger, fresh, only, listener }: SweepOptions,
): Promise<Sweep> {
  const [last] = await ledger.sweeps(fleet);
  const continues = last !== undefined && last.endedAt === undefined && !fresh && !only;
  const sweep = continues ? { ...last, agents } : newSweep(fleet, agents);
  if (continues) listener.resumed(sweep);
  await ledger.begin(sweep);
  return sweep;
}
