import type { PostResult } from "../definition/layers.ts";

/** Limits for the attempts to deliver a notification. */
export interface RetryPolicy {
  /** maximum number of attempts, including the first one */
  readonly attempts: number;
  /** maximum time since the first attempt; later attempts are not made */
  readonly withinMs: number;
}

export const defaultRetries: RetryPolicy = { attempts: 5, withinMs: 120_000 };

const firstPauseMs = 500;
const factor = 4;
const longestPauseMs = 20_000;

/** The facts after a failed attempt. */
interface FailedAttempt {
  /** counted from 1 */
  readonly attempt: number;
  readonly result: PostResult;
  /** since the first attempt began */
  readonly elapsedMs: number;
  /** the time of day, for a webhook that gives a date */
  readonly now: number;
  /** from 0 to 1, so that webhooks that failed together are not called together again */
  readonly chance: number;
}

/** Returns the pause before the next attempt; `undefined` if there is none. */
export function pauseAfter(failed: FailedAttempt, { attempts, withinMs }: RetryPolicy): number | undefined {
  const { attempt, result, elapsedMs, now, chance } = failed;
  if (attempt >= attempts || !mayPass(result)) return undefined;
  const longest = Math.min(firstPauseMs * factor ** (attempt - 1), longestPauseMs);
  const asked = "status" in result ? askedPause(result.retryAfter, now) : 0;
  const pause = Math.max(longest * (1 + chance) * 0.5, asked);
  return elapsedMs + pause > withinMs ? undefined : pause;
}

/**
 * Returns true for a temporary failure: the webhook is overloaded, failing or unreachable. A rejection is
 * final.
 */
export const mayPass = (result: PostResult): boolean =>
  "status" in result
    ? result.status >= 500 || result.status === 408 || result.status === 425 || result.status === 429
    : !result.final;

/**
 * Returns the pause that a webhook asks for, in seconds or as a date (RFC 9110 §10.2.3); none if it is
 * invalid.
 */
function askedPause(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1_000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
