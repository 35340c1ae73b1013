import type { PostResult } from "../definition/layers.ts";

/** How often, and for how long, a notification is tried. */
export interface RetryPolicy {
  /** the first one included */
  readonly attempts: number;
  /** from the first attempt on: one that would come later is not made */
  readonly withinMs: number;
}

export const defaultRetries: RetryPolicy = { attempts: 5, withinMs: 120_000 };

const firstPauseMs = 500;
const factor = 4;
const longestPauseMs = 20_000;

/** What is known when an attempt has failed. */
interface FailedAttempt {
  /** counted from 1 */
  readonly attempt: number;
  readonly result: PostResult;
  /** since the first attempt began */
  readonly elapsedMs: number;
  /** the time of day, for a webhook that says until when to wait */
  readonly now: number;
  /** from 0 to 1: webhooks that failed together are not called together again */
  readonly chance: number;
}

/** How long to wait before the next attempt; `undefined` where there is none. */
export function pauseAfter(failed: FailedAttempt, { attempts, withinMs }: RetryPolicy): number | undefined {
  const { attempt, result, elapsedMs, now, chance } = failed;
  if (attempt >= attempts || !mayPass(result)) return undefined;
  const longest = Math.min(firstPauseMs * factor ** (attempt - 1), longestPauseMs);
  const asked = "status" in result ? askedPause(result.retryAfter, now) : 0;
  const pause = Math.max(longest * (1 + chance) * 0.5, asked);
  return elapsedMs + pause > withinMs ? undefined : pause;
}

/** Trouble that may pass: the webhook is overloaded, failing or not reached; a refusal stays one. */
export const mayPass = (result: PostResult): boolean =>
  "status" in result
    ? result.status >= 500 || result.status === 408 || result.status === 425 || result.status === 429
    : !result.final;

/** The pause that a webhook asks for, in seconds or until a date (RFC 9110 §10.2.3); none where it cannot be read. */
function askedPause(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1_000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}
