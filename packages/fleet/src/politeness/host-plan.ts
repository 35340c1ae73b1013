import type { HostLimits } from "./politeness.ts";

/** The state of a host and of one job there, at one moment; times in milliseconds. */
export interface HostState {
  readonly now: number;
  /** when the next free place in its plan is */
  readonly nextAt: number;
  /** how many examinations are under way, that of this job left out */
  readonly active: number;
  /** the place that this job was given, where it was given one */
  readonly place?: number;
}

/** The answer to a job that asks for its turn; the host's plan continues from `nextAt`. */
export type HostStep =
  | { readonly is: "begin"; readonly nextAt: number }
  | { readonly is: "wait"; readonly until: number; readonly nextAt: number };

/** When all places at a host are taken, how long before one is looked for again. */
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
  // The next place of the plan; at a host that is full there is none before one of its examinations may have ended.
  const until = isFull ? Math.max(nextAt, now + fullMs) : nextAt;
  return { is: "wait", until, nextAt: until + interval };
}
