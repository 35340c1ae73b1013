import type { Call } from "../../call.ts";
import { isInternal, isPassing } from "../../expect-error.ts";
import { type Obstacle, skipped } from "../../obstacle.ts";
import { headerOf } from "../../reading.ts";

/** How a call ended, as far as repeating it is concerned. */
export type CallEnding =
  /** with an answer of the agent, right or wrong */
  | "answered"
  /** 429, 503 and their like: turned away unread, so that no work was done */
  | "turned-away"
  /** an internal error of the binding */
  | "internal-error"
  /** a breakdown in another form: a page of the web server, a code that the binding does not define */
  | "breakdown"
  /** the connection broke, or nothing came in time */
  | "no-answer"
  /** we hung up */
  | "aborted"
  /** a task that was to complete, and failed */
  | "failed-task";

export function endingOf(call: Call): CallEnding {
  const { reply, exchange } = call;
  if (isPassing(call)) return "turned-away";
  if (isInternal(call)) return "internal-error";
  if (exchange.http.response?.status === 500) return "breakdown";
  if (reply.is !== "failure") return "answered";
  return reply.failure.code === "aborted" ? "aborted" : "no-answer";
}

/** What is sent decides what may be repeated. */
export type Purpose =
  /** a call that is no message, or should be refused */
  | "free-call"
  /** a message; what is repeated is the same one */
  | "message"
  | "stream"
  /** another message in the place of one that the agent failed at */
  | "fresh-message";

interface Repetition {
  readonly after: readonly CallEnding[];
  /** how often, counting all endings that the row names */
  readonly times: number;
  /** milliseconds before the next attempt */
  readonly pause: (call: Call, attempt: number) => number;
  /** what is said when it was repeated in vain; unless given, the last answer is the one that is judged */
  readonly inVain?: (call: Call) => Obstacle;
}

const whileTurnedAway: Repetition = { after: ["turned-away"], times: 6, pause: backOff, inVain: alwaysTurnedAway };

/**
 * The whole policy. An ending without a row is judged as it is. A breakdown of a free call must happen twice to count;
 * a message at which the agent fails every time is judged, one at which it failed once is not.
 */
const policy: Readonly<Record<Purpose, readonly Repetition[]>> = {
  "free-call": [whileTurnedAway, { after: ["internal-error", "breakdown", "no-answer"], times: 1, pause: () => 100 }],
  message: [whileTurnedAway],
  stream: [whileTurnedAway],
  "fresh-message": [{ after: ["internal-error", "failed-task"], times: 2, pause: backOff }],
};

/**
 * Whether a request is sent once more after it ended so, every attempt counted, and how. Throws where the agent turned it
 * away too often: then there is nothing to judge.
 */
export function nextAttempt(
  purpose: Purpose,
  endings: readonly CallEnding[],
  last: Call,
): { readonly afterMs: number } | undefined {
  const row = policy[purpose].find(({ after }) => after.includes(endings.at(-1)!));
  if (!row) return undefined;
  const counted = endings.filter((ending) => row.after.includes(ending)).length;
  if (counted <= row.times) return { afterMs: row.pause(last, endings.length) };
  if (row.inVain) throw row.inVain(last);
  return undefined;
}

/** One attempt: what it is worth to the caller, and the call, where it is over. */
export interface AttemptResult<T> {
  readonly value: T;
  readonly call: Call | undefined;
  /** unless given, what `endingOf` says of the call */
  readonly ending?: CallEnding;
}

/** Makes attempts until the policy is content with how one ended. */
export async function withRetries<T>(
  purpose: Purpose,
  attempt: () => Promise<AttemptResult<T>>,
  sleep: (ms: number) => Promise<void>,
): Promise<T> {
  const endings: CallEnding[] = [];
  for (;;) {
    const { value, call, ending } = await attempt();
    if (!call) return value;
    endings.push(ending ?? endingOf(call));
    const next = nextAttempt(purpose, endings, call);
    if (!next) return value;
    await sleep(next.afterMs);
  }
}

/** As long as Retry-After says; an agent that says "at once" and turns us away again gets a little more time each time. */
function backOff({ exchange }: Call, attempt: number): number {
  const asked = headerOf(exchange, "Retry-After");
  const seconds = asked !== undefined && /^\d{1,4}$/.test(asked) ? Number(asked) : undefined;
  const least = seconds === undefined ? 250 * 2 ** attempt : Math.max(seconds * 1000 + 50, 50 * 2 ** attempt);
  return Math.min(least, 30_000);
}

function alwaysTurnedAway({ exchange }: Call): Obstacle {
  const status = exchange.http.response?.status ?? "?";
  const because = `the agent turned us away again and again (HTTP ${status})`;
  return skipped("unstable", because, "--rate <requests per second>");
}
