import type { HostLimits } from "./politeness.ts";

/** What is known of a host and of one job there, at one moment; times in milliseconds. */
export interface HostState {
  readonly now: number;
  /** when the next free place in its plan is */
  readonly nextAt: number;
  /** how many examinations are under way, that of this job left out */
  readonly active: number;
  /** the place that this job was given, where it was given one */
  readonly place?: number;
}

/** What comes of a job that asks for its turn; the host's plan goes on from `nextAt`. */
export type HostStep =
  | { readonly is: "begin"; readonly nextAt: number }
  | { readonly is: "wait"; readonly until: number; readonly nextAt: number };

/** When all places at a host are taken, how long before one is looked for again. */
const fullMs = 250;

/**
 * Gives each job that has to wait a time of its own, one interval behind the one before, so that a thousand agents on one host do
 * not all come back again and again. Jobs that come late, because workers had other things to do, are not sent away once more: as
 * many as may be under way at once may begin together, and on the whole no more than one in an interval.
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
