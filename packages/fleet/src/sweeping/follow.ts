import { setTimeout as pause } from "node:timers/promises";
import type { FleetLedger } from "../ledger/verdict.ts";
import type { FleetQueue, QueueCounts } from "../queue/fleet-queue.ts";

/** The progress of a sweep at one moment. */
interface Mark {
  readonly at: number;
  readonly settled: number;
}

/** Older results say nothing about the current speed. */
const windowMs = 5 * 60_000;

/** Estimates the remaining time of a sweep from its recent speed; undefined before there is any progress. */
export class Estimate {
  readonly #marks: Mark[] = [];

  mark(at: number, settled: number): void {
    this.#marks.push({ at, settled });
    while (this.#marks.length > 2 && this.#marks[1]!.at <= at - windowMs) this.#marks.shift();
  }

  /** agents per minute */
  get perMinute(): number | undefined {
    const [first, last] = [this.#marks[0], this.#marks.at(-1)];
    if (!first || !last || last.settled <= first.settled) return undefined;
    return ((last.settled - first.settled) / (last.at - first.at)) * 60_000;
  }

  /** milliseconds until this many agents have a verdict */
  left(agents: number): number | undefined {
    const { perMinute } = this;
    const settled = this.#marks.at(-1)?.settled ?? 0;
    return perMinute === undefined ? undefined : ((agents - settled) / perMinute) * 60_000;
  }
}

export interface SweepProgress {
  readonly agents: number;
  readonly settled: number;
  /** recent number of agents per minute */
  readonly perMinute?: number;
  /** milliseconds until the end, at that speed */
  readonly left?: number;
}

interface FollowOptions {
  readonly sweep: string;
  /** the names of the agents */
  readonly agents: readonly string[];
  readonly ledger: Pick<FleetLedger, "settled" | "unsettled">;
  readonly queue: Pick<FleetQueue, "add" | "counts">;
  readonly signal: AbortSignal;
  readonly told?: (progress: SweepProgress) => void;
  /** called with the content of the queue if there was no verdict for a long time and jobs are added again */
  readonly quiet?: (queue: QueueCounts) => void;
  /** milliseconds between two checks, and without a verdict until jobs that may be lost are added again */
  readonly lookMs?: number;
  readonly quietMs?: number;
  readonly now?: () => number;
}

/**
 * Adds the jobs of a sweep to a queue and waits until every agent has a verdict. It skips agents that have one, and adds
 * jobs again that the queue lost. Returns false if it was stopped; following the same sweep again continues it.
 */
export async function followSweep(options: FollowOptions): Promise<boolean> {
  const {
    sweep,
    agents,
    ledger,
    queue,
    signal,
    told,
    quiet,
    lookMs = 1_000,
    quietMs = 60_000,
    now = Date.now,
  } = options;
  const estimate = new Estimate();
  const addMissing = async (): Promise<void> => {
    const missing = await ledger.unsettled(sweep, agents);
    await queue.add(missing.map((agent) => ({ sweep, agent })));
  };
  await addMissing();
  let before = -1;
  let movedAt = now();
  for (;;) {
    const settled = await ledger.settled(sweep);
    estimate.mark(now(), settled);
    const [perMinute, left] = [estimate.perMinute, estimate.left(agents.length)];
    told?.({
      agents: agents.length,
      settled,
      ...(perMinute !== undefined && { perMinute }),
      ...(left !== undefined && { left }),
    });
    if (settled >= agents.length) return true;
    if (signal.aborted) return false;
    if (settled > before) movedAt = now();
    else if (now() - movedAt >= quietMs) {
      movedAt = now();
      quiet?.(await queue.counts());
      await addMissing();
    }
    before = settled;
    await pause(lookMs, undefined, { signal }).catch(() => {});
  }
}
