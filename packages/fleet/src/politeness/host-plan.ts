import type { HostLimits } from "./politeness.ts";

/** The state of a host and of one job there, at one moment; times in milliseconds. */
export interface HostState {
  readonly now: number;
  /** the next free time in the host's plan */
  readonly nextAt: number;
  /** number of running examinations, without that of this job */
  readonly active: number;
  /** the time that the plan gave to this job, if any */
  readonly place?: number;
}

/** The answer to a job that asks for its turn; the host's plan continues from `nextAt`. */
export type HostStep =
  | { readonly is: "begin"; readonly nextAt: number }
  | { readonly is: "wait"; readonly until: number; readonly nextAt: number };

/** Milliseconds to wait before looking for a place again at a host without a free one. */
const fullMs = 250;

/**
 * Gives each waiting job its own time, one interval after the previous one. So a thousand agents on one host do not all
 * ask again and again. A job that comes late is not sent away: late jobs may begin together, up to `atOnce`. On average no
 * more than one job begins per interval.
 */
export function nextStep({ now, nextAt, active, place }: HostState, { atOnce, perSecond }: HostLimits): HostStep {
  const interval = 1_000 / perSecond;
  const at = place ?? nextAt;
  const isFull = active >= atOnce;
  if (at <= now && !isFull) {
    return { is: "begin", nextAt: place === undefined ? now + interval : nextAt };
  }
  if (at > now && place !== undefined) return { is: "wait", until: at, nextAt };
  // The next time in the plan. At a full host, one of its examinations has to end first.
  const until = isFull ? Math.max(nextAt, now + fullMs) : nextAt;
  return { is: "wait", until, nextAt: until + interval };
}
