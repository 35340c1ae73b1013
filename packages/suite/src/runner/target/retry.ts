import type { Failure, FailureCode } from "@assay/wire";
import { isNamed } from "../../answers/error-names.ts";
import { isInternal, isOfGateway, isPassing } from "../../answers/expect-error.ts";
import { headerOf, isBrokenOff } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import type { Obstacle } from "../../define/obstacle.ts";
import { type BusyAgent, longestWaitMs } from "./busy.ts";
import type { Trial } from "./crash-trials.ts";
import * as failedRetries from "./failed-retries.ts";

/** The ways a call ends that matter for retries. */
export type CallEnding =
  /** with a response of the agent, right or wrong */
  | "answered"
  /** 429, 503 or a gRPC equivalent: rejected unread, so no work was done */
  | "pressed"
  /** a gateway's 502: the agent may have read the request */
  | "gateway-failed"
  /** a gateway's 504 or 408: the agent may be working on the request */
  | "gateway-timeout"
  /** no connection: nothing was sent */
  | "unconnected"
  /** the connection broke before the response: the request may have been read */
  | "dropped"
  /** connected, but nothing arrived in time */
  | "silence"
  /** an internal error of the binding */
  | "internal-error"
  /** a crash in another form: a web server page, a code that the binding does not define */
  | "breakdown"
  /** bytes that are not an HTTP response, or too many */
  | "unreadable"
  /** blocked on Assay's side or on the way */
  | "out-of-reach"
  /** Assay closed the connection */
  | "aborted"
  /** a task that should complete, and failed */
  | "failed-task";

const failureEndings: Readonly<Record<FailureCode, CallEnding>> = {
  "connect-refused": "unconnected",
  unreachable: "unconnected",
  "closed-at-once": "unconnected",
  "timeout-connect": "unconnected",
  dns: "unconnected",
  reset: "dropped",
  "closed-early": "dropped",
  "timeout-idle": "silence",
  "timeout-total": "silence",
  malformed: "unreadable",
  "too-large": "unreadable",
  "too-many-events": "unreadable",
  "refused-by-guard": "out-of-reach",
  tls: "out-of-reach",
  proxy: "out-of-reach",
  unsupported: "out-of-reach",
  unknown: "out-of-reach",
  aborted: "aborted",
};

export function endingOf(call: Call): CallEnding {
  const { reply, exchange } = call;
  const status = exchange.http.response?.status;
  // The agent has given this caller its response.
  if (call.shutOut) return "answered";
  if (isPassing(call)) return "pressed";
  if (isInternal(call) || isNamed(call, "InvalidAgentResponse")) return "internal-error";
  if (status === 500) return "breakdown";
  const failure = failureBefore(reply);
  if (failure) return failureEndings[failure.code];
  // A status without its message is a broken frame, perhaps lost with the connection.
  if (call.on.binding === "GRPC" && reply.is === "malformed") return "unreadable";
  if (!isOfGateway(call)) return "answered";
  return status === 502 ? "gateway-failed" : "gateway-timeout";
}

/** Returns why nothing arrived at all. A stream that broke after its first event is judged as a response. */
function failureBefore(reply: Call["reply"]): Failure | undefined {
  if (reply.is === "failure") return reply.failure;
  return reply.is === "stream" && reply.events.length === 0 ? reply.failure : undefined;
}

/** The endings that show nothing about the agent: no rule is judged by them. */
const ofSurroundings: ReadonlySet<CallEnding> = new Set<CallEnding>([
  "gateway-failed",
  "gateway-timeout",
  "unconnected",
  "dropped",
  "silence",
  "out-of-reach",
]);

/** Returns true if a call shows the agent itself. A 429 or 503 page comes from a gateway. */
export function showsAgent(call: Call): boolean {
  const ending = endingOf(call);
  if (call.shutOut) return false;
  return !ofSurroundings.has(ending) && !(ending === "pressed" && call.reply.is === "malformed");
}

/** Codes of a connection that ended before or within the HTTP response. */
const cuts: ReadonlySet<FailureCode> = new Set<FailureCode>(["reset", "closed-early"]);

/**
 * Returns true if the agent may have restarted during a call. A kept connection may have been dead before. A stream
 * that breaks before its first event is retried first, because agents also close streams they cannot serve.
 */
export function isGap(call: Call): boolean {
  const ending = endingOf(call);
  if (ending === "unconnected" || ending === "gateway-failed") return true;
  if (isBrokenOff(call)) return false;
  const { failure, transport } = call.exchange;
  return failure !== undefined && cuts.has(failure.code) && !transport.reused;
}

/** The purpose decides about retries. */
export type Purpose =
  /** the first call on an interface: every ending is a result */
  | "contact"
  /** not an A2A call, such as a card: the caller knows what a missing response means */
  | "fetch"
  /** a call that is not a message, or should be rejected */
  | "free-call"
  /** a message or its stream; a retry sends the same message */
  | "message"
  /** the same, if another message may follow */
  | "first-message"
  /** another message after the agent failed on one */
  | "fresh-message";

interface Repetition {
  readonly after: readonly CallEnding[];
  /** the maximum number, counting all endings of the row */
  readonly times: number;
  /** milliseconds before the next attempt */
  readonly pause: (call: Call, attempt: number) => number;
  /**
   * The obstacle after the last attempt. Without one, the last response is judged. It is also judged if only this
   * request fails while other calls are answered.
   */
  readonly inVain?: (call: Call) => Obstacle;
  /** other calls find out if only this request fails */
  readonly inquire?: true;
}

const atOnce = (): number => 100;
const never = { times: 0, pause: atOnce };

const whilePressed: Repetition = { after: ["pressed"], times: 6, pause: backOff, inVain: failedRetries.alwaysPressed };
/** A retry is safe, because nothing was sent. */
const whileUnconnected: Repetition = {
  after: ["unconnected"],
  times: 6,
  pause: shortly,
  inVain: failedRetries.noWayThere,
};
const outOfReach: Repetition = { after: ["out-of-reach"], ...never, inVain: failedRetries.noWayThere };

/** The agent may have read it: one retry only. */
const perhapsRead = { after: ["gateway-failed", "dropped"], times: 1, pause: shortly, inquire: true } as const;

const message: readonly Repetition[] = [
  whilePressed,
  whileUnconnected,
  outOfReach,
  { after: ["gateway-timeout"], ...never, inVain: failedRetries.impatientGateway },
  { after: ["silence"], ...never, inVain: failedRetries.tooSlow },
];

/**
 * The whole retry policy. An ending without a row is judged as it is. A crash on a free call must happen twice to
 * count. A message is judged only if the agent fails on every attempt.
 */
const policy: Readonly<Record<Purpose, readonly Repetition[]>> = {
  contact: [
    whilePressed,
    { after: ["unconnected", "dropped", "gateway-failed"], times: Number.POSITIVE_INFINITY, pause: shortly },
    { after: ["internal-error", "breakdown", "unreadable", "gateway-timeout"], times: 1, pause: atOnce },
  ],
  fetch: [
    { after: ["pressed"], times: 6, pause: backOff },
    { after: ["unconnected", "dropped", "gateway-failed", "gateway-timeout"], times: 5, pause: shortly },
  ],
  "free-call": [
    whilePressed,
    whileUnconnected,
    outOfReach,
    { after: ["gateway-failed"], times: 5, pause: shortly, inVain: failedRetries.gatewayInTheWay },
    { after: ["gateway-timeout"], times: 1, pause: shortly, inVain: failedRetries.impatientGateway },
    { after: ["dropped"], times: 6, pause: shortly, inquire: true, inVain: failedRetries.dropped },
    { after: ["silence"], times: 1, pause: atOnce, inquire: true, inVain: failedRetries.silent },
    { after: ["internal-error", "breakdown", "unreadable"], times: 1, pause: atOnce },
  ],
  message: [...message, { ...perhapsRead, inVain: failedRetries.dropped }],
  "first-message": [...message, perhapsRead],
  "fresh-message": [
    { after: ["internal-error", "failed-task"], times: 2, pause: backOff },
    { after: ["gateway-failed", "dropped"], times: 1, pause: shortly, inVain: failedRetries.dropped },
  ],
};

const rowFor = (purpose: Purpose, ending: CallEnding): Repetition | undefined =>
  policy[purpose].find(({ after }) => after.includes(ending));

/** The facts about the run that retries need. */
export interface RetryOptions {
  readonly sleep: (ms: number) => Promise<void>;
  /** limits the total wait for an agent that rejects requests */
  readonly busy?: BusyAgent;
  /** 0 to 1: spreads retries, so that many requests do not return at the same moment */
  readonly random: () => number;
  readonly inquiry: Inquiry;
  /** milliseconds after which the first call on an interface is no longer retried */
  readonly contactWithin?: number;
  /** a connection closed without a response counts as a response, unless the agent crashes */
  readonly mayHangUp?: boolean | undefined;
}

/** Finds out if only this request fails. */
export interface Inquiry {
  /** Sends a request alone whose connection was dropped, to see if the agent crashes on it. */
  dropped<T>(call: Call, again: () => Promise<AttemptResult<T>>): Promise<Trial<T>>;
  /** The request was not answered in time: finds out if others are. */
  silent(call: Call): Promise<InquiryFinding | undefined>;
  /** The connection of this call broke. Restarts the agent if Assay started it and its process has ended. */
  recover(call: Call): Promise<void>;
  /** Returns true if this request is known to crash the agent. */
  isCrash(call: Call): boolean;
}

/** The result of an inquiry: only this request fails every time, or others fail too. */
export type InquiryFinding = "to-blame" | "not-alone";

/**
 * Decides if and how a request is retried, given all its attempts. Throws if every attempt failed without showing
 * anything about the agent.
 */
export function nextAttempt(
  purpose: Purpose,
  endings: readonly CallEnding[],
  last: Call,
  finding?: InquiryFinding,
): { readonly afterMs: number } | undefined {
  const row = rowFor(purpose, endings.at(-1)!);
  if (!row || finding === "to-blame") return undefined;
  const counted = endings.filter((ending) => row.after.includes(ending)).length;
  // If nothing is answered in time, another wait of the same length shows nothing new.
  const isHung = finding === "not-alone" && endings.at(-1) === "silence";
  if (counted <= row.times && !isHung) return { afterMs: row.pause(last, endings.length) };
  if (row.inVain) throw row.inVain(last);
  return undefined;
}

/** One attempt: its value for the caller, and the call if it has ended. */
export interface AttemptResult<T> {
  readonly value: T;
  readonly call: Call | undefined;
  /** the ending (default: the result of `endingOf`) */
  readonly ending?: CallEnding;
}

/** The first attempt, one over a new connection, or one past all queues while everything else waits. */
export type AttemptMode = "first" | "repeat" | "alone";

/** Makes attempts, each retry over its own connection, until the policy accepts an ending. */
export async function withRetries<T>(
  purpose: Purpose,
  attempt: (mode: AttemptMode) => Promise<AttemptResult<T>>,
  { sleep, random, inquiry, busy, contactWithin = 0, mayHangUp }: RetryOptions,
): Promise<T> {
  const endings: CallEnding[] = [];
  const deadline = purpose === "contact" ? performance.now() + contactWithin : Number.POSITIVE_INFINITY;
  let isTried = false;
  let waited = 0;
  let result = await attempt("first");
  for (;;) {
    const { value, call, ending } = result;
    if (!call || inquiry.isCrash(call)) return value;
    const ended = ending ?? endingOf(call);
    endings.push(ended);
    if (ended === "answered") busy?.answered();
    let finding: InquiryFinding | undefined;
    if (rowFor(purpose, ended)?.inquire && ended === "dropped" && !isTried) {
      const trial = await inquiry.dropped(call, () => attempt("alone"));
      if (trial.is === "crash") return trial.attempt ? trial.attempt.value : value;
      if (trial.is === "broken-off") return trial.attempt.value;
      if (trial.is === "answered") {
        result = trial.attempt;
        continue;
      }
      if (mayHangUp) return value;
      isTried = true;
      endings.push(...Array.from({ length: trial.trials }, () => ended));
    }
    if (rowFor(purpose, ended)?.inquire && ended === "silence") finding = await inquiry.silent(call);
    if (ended === "unconnected" || ended === "dropped") await inquiry.recover(call);
    const next = nextAttempt(purpose, endings, call, finding);
    if (!next || performance.now() + next.afterMs > deadline) return value;
    const ms = next.afterMs * (0.75 + random() / 2);
    waited += ms;
    if (ended === "pressed" && (waited > longestWaitMs || busy?.mayWait(ms, call) === false)) {
      // If the policy would judge the last response, that response is the result.
      if (rowFor(purpose, ended)?.inVain) throw failedRetries.waitTooLong(call, longestWaitMs);
      return value;
    }
    await sleep(ms);
    result = await attempt("repeat");
  }
}

/**
 * Waits as long as Retry-After says. An agent that says "at once" and rejects again gets a little more time each time.
 */
function backOff({ exchange }: Call, attempt: number): number {
  const asked = headerOf(exchange, "Retry-After");
  const seconds = asked !== undefined && /^\d{1,9}$/.test(asked) ? Number(asked) : undefined;
  if (seconds === undefined) return Math.min(250 * 2 ** attempt, 30_000);
  return Math.max(seconds * 1000 + 50, Math.min(50 * 2 ** attempt, 30_000));
}

/** Short problems often pass quickly: 100 ms, 200 ms and so on, at most three seconds. */
function shortly(_: Call, attempt: number): number {
  return Math.min(50 * 2 ** attempt, 3_000);
}
