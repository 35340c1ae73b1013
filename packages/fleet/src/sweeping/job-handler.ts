import { reasonOf } from "../classes/reason-of.ts";
import type { Examination, Examiner, FleetJob } from "../examining/examination.ts";
import type { FleetLedger, FleetVerdict } from "../ledger/verdict.ts";
import type { Politeness } from "../politeness/politeness.ts";
import type { JobHandler, QueuedJob } from "../queue/fleet-queue.ts";
import { jobId } from "../queue/fleet-queue.ts";
import { verdictOf } from "./verdict-of.ts";

export interface HandlerOptions {
  /** Returns the planned work for an agent, from a place the queue cannot write to; undefined if nothing was planned. */
  readonly jobOf: (queued: QueuedJob) => Promise<FleetJob | undefined>;
  /** called for a job without a plan: it is dropped, without a verdict */
  readonly dropped?: (queued: QueuedJob) => void;
  readonly ledger: Pick<FleetLedger, "settle" | "isSettled" | "previous">;
  readonly examine: Examiner;
  readonly politeness: Politeness;
  /** the name of this process in verdicts */
  readonly worker: string;
  /** maximum number of attempts if the trouble may be temporary; the last result counts */
  readonly attempts: number;
  /** milliseconds before the second attempt; the pause doubles with each further one */
  readonly pause: number;
  /**
   * maximum duration of one examination in milliseconds, unless the list sets a longer one; a worker that holds its turn
   * at a host for longer is dead
   */
  readonly longest: number;
  readonly now?: () => number;
  readonly settled?: (verdict: FleetVerdict) => void;
}

/** Additional milliseconds after its deadline until the process of an examination is gone. */
const endingMs = 30_000;
/** Number of workers that may die while they test one agent, before Assay gives up on it. */
const mostDeaths = 5;

/**
 * Handles one job of the queue: looks up its plan, waits for a turn at the host, examines the agent and saves the verdict.
 * Every worker runs the same handler.
 */
export function jobHandler(options: HandlerOptions): JobHandler {
  const { jobOf, dropped, ledger, examine, politeness, worker, attempts, pause, longest, settled } = options;
  const { now = Date.now } = options;

  const settle = async (job: FleetJob, attempt: number, examination: Examination): Promise<void> => {
    const by = { attempts: attempt, at: new Date(now()).toISOString(), worker };
    const before = examination.unchanged && (await ledger.previous(job.sweep, job.agent.name));
    const verdict = verdictOf(job, examination, by, before || undefined);
    const isKept = await ledger.settle(verdict, examination.report);
    if (isKept) settled?.(verdict);
  };

  return async (queued, attempt, signal) => {
    // The sweep may be over, or a worker may have died after saving the verdict. Then no agent needs a request.
    const isNamed = typeof queued?.sweep === "string" && typeof queued.agent === "string";
    if (isNamed && (await ledger.isSettled(queued.sweep, queued.agent))) return { done: true };
    const job = isNamed ? await jobOf(queued) : undefined;
    if (!job) {
      dropped?.(queued);
      return { done: true };
    }
    const { agent } = job;
    const code =
      agent.optOut !== undefined ? "opt-out-listed" : attempt > attempts + mostDeaths ? "process-died" : undefined;
    if (code !== undefined) {
      const ours = {
        class: code === "process-died" ? "not-examined" : "opted-out",
        mayPass: false,
        duration_ms: 0,
      } as const;
      await settle(job, attempt, { ...ours, reason: reasonOf({ code }, agent.optOut) });
      return { done: true };
    }
    const turn = await politeness.turn(
      hostOf(agent.url),
      jobId(queued),
      Math.max(longest, (agent.deadline ?? 0) + endingMs),
    );
    if ("after" in turn) return { again: turn.after, because: "busy" };
    try {
      const examination = await examine(job, signal);
      if (examination.mayPass && attempt < attempts) {
        return { again: pause * 2 ** (attempt - 1), because: "retry" };
      }
      await settle(job, attempt, examination);
      return { done: true };
    } catch (error) {
      // This process is about to stop, so another worker starts the job again.
      if (signal.aborted) return { again: 1, because: "busy" };
      throw error;
    } finally {
      await turn.leave();
    }
  };
}

/**
 * Returns the host of an address. Agents on one host share its limits, whatever their port and path. An invalid address
 * gets no requests.
 */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");
