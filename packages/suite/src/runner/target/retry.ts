import type { Failure, FailureCode } from "@assay/wire";
import { isNamed } from "../../answers/error-names.ts";
import { isInternal, isOfGateway, isPassing } from "../../answers/expect-error.ts";
import { headerOf, isBrokenOff } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import type { Obstacle } from "../../define/obstacle.ts";
import { type BusyAgent, longestWaitMs } from "./busy.ts";
import type { Trial } from "./crash-trials.ts";
import * as inVain from "./in-vain.ts";

/** How a call ended, as far as repeating it is concerned. */
export type CallEnding =
  /** with an answer of the agent, right or wrong */
  | "answered"
  /** 429, 503 and their like: turned away unread, so that no work was done */
  | "pressed"
  /** a gateway's 502: what is behind it may have read the request */
  | "gateway-failed"
  /** a gateway's 504 or 408: what is behind it may be at work on the request */
  | "gateway-timeout"
  /** no connection: nothing was sent */
  | "unconnected"
  /** the connection broke before the answer: the request may have been read */
  | "dropped"
  /** connected, and nothing came in time */
  | "silence"
  /** an internal error of the binding */
  | "internal-error"
  /** a breakdown in another form: a page of the web server, a code that the binding does not define */
  | "breakdown"
  /** bytes that are no answer of HTTP, or too many of them */
  | "unreadable"
  /** kept back by our own side, or by what lies between */
  | "out-of-reach"
  /** we hung up */
  | "aborted"
  /** a task that was to complete, and failed */
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
  // The agent has said what it had to say to this caller.
  if (call.shutOut) return "answered";
  if (isPassing(call)) return "pressed";
  if (isInternal(call) || isNamed(call, "InvalidAgentResponse")) return "internal-error";
  if (status === 500) return "breakdown";
  const failure = failureBefore(reply);
  if (failure) return failureEndings[failure.code];
  // A status without its message is a broken frame: it may be one that the connection lost.
  if (call.on.binding === "GRPC" && reply.is === "malformed") return "unreadable";
  if (!isOfGateway(call)) return "answered";
  return status === 502 ? "gateway-failed" : "gateway-timeout";
}

/** Why nothing came at all: a stream that broke behind its first event is an answer, and judged as what it is. */
function failureBefore(reply: Call["reply"]): Failure | undefined {
  if (reply.is === "failure") return reply.failure;
  return reply.is === "stream" && reply.events.length === 0 ? reply.failure : undefined;
}

/** The endings that show nothing of the agent: no rule is judged by them. */
const ofSurroundings: ReadonlySet<CallEnding> = new Set<CallEnding>([
  "gateway-failed",
  "gateway-timeout",
  "unconnected",
  "dropped",
  "silence",
  "out-of-reach",
]);

/** Whether a call shows the agent, or only what lies before it; a page that says 429 or 503 is a gateway's. */
export function showsAgent(call: Call): boolean {
  const ending = endingOf(call);
  if (call.shutOut) return false;
  return !ofSurroundings.has(ending) && !(ending === "pressed" && call.reply.is === "malformed");
}

/** Codes of a connection that ended without a word of HTTP, before the answer or in the middle of it. */
const cuts: ReadonlySet<FailureCode> = new Set<FailureCode>(["reset", "closed-early"]);

/**
 * Whether the agent may have been restarted around a call. A kept connection may have been dead before the request. A
 * stream that breaks off before its first event is sent again first: agents break off what they cannot serve, too.
 */
export function isGap(call: Call): boolean {
  const ending = endingOf(call);
  if (ending === "unconnected" || ending === "gateway-failed") return true;
  if (isBrokenOff(call)) return false;
  const { failure, transport } = call.exchange;
  return failure !== undefined && cuts.has(failure.code) && !transport.reused;
}

/** What is sent decides what may be repeated. */
export type Purpose =
  /** the first call on an interface: however it ends, that is what the caller wants to know */
  | "contact"
  /** something that is no call of A2A, such as a card: the caller knows what it means that there is none */
  | "fetch"
  /** a call that is no message, or should be refused */
  | "free-call"
  /** a message, or a stream of one; what is repeated is the same one */
  | "message"
  /** the same, where another message may follow */
  | "first-message"
  /** another message in the place of one that the agent failed at */
  | "fresh-message";

interface Repetition {
  readonly after: readonly CallEnding[];
  /** how often, counting all endings that the row names */
  readonly times: number;
  /** milliseconds before the next attempt */
  readonly pause: (call: Call, attempt: number) => number;
  /**
   * What is said when it was repeated in vain; unless given, the last answer is the one that is judged. It is judged too
   * where the request alone is to blame: it was dropped, or not answered, while other calls were.
   */
  readonly inVain?: (call: Call) => Obstacle;
  /** whether the request alone is to blame is found out by other calls */
  readonly inquire?: true;
}

const atOnce = (): number => 100;
const never = { times: 0, pause: atOnce };

const whilePressed: Repetition = { after: ["pressed"], times: 6, pause: backOff, inVain: inVain.alwaysPressed };
/** Nothing was sent, so that nothing is sent twice. */
const whileUnconnected: Repetition = { after: ["unconnected"], times: 6, pause: shortly, inVain: inVain.noWayThere };
const outOfReach: Repetition = { after: ["out-of-reach"], ...never, inVain: inVain.noWayThere };

/** It may have been read: the same message once more, and no more than that. */
const perhapsRead = { after: ["gateway-failed", "dropped"], times: 1, pause: shortly, inquire: true } as const;

const message: readonly Repetition[] = [
  whilePressed,
  whileUnconnected,
  outOfReach,
  { after: ["gateway-timeout"], ...never, inVain: inVain.impatientGateway },
  { after: ["silence"], ...never, inVain: inVain.tooSlow },
];

/**
 * The whole policy. An ending without a row is judged as it is. A breakdown of a free call must happen twice to count;
 * a message at which the agent fails every time is judged, one at which it failed once is not.
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
    { after: ["gateway-failed"], times: 5, pause: shortly, inVain: inVain.gatewayInTheWay },
    { after: ["gateway-timeout"], times: 1, pause: shortly, inVain: inVain.impatientGateway },
    { after: ["dropped"], times: 6, pause: shortly, inquire: true, inVain: inVain.dropped },
    { after: ["silence"], times: 1, pause: atOnce, inquire: true, inVain: inVain.silent },
    { after: ["internal-error", "breakdown", "unreadable"], times: 1, pause: atOnce },
  ],
  message: [...message, { ...perhapsRead, inVain: inVain.dropped }],
  "first-message": [...message, perhapsRead],
  "fresh-message": [
    { after: ["internal-error", "failed-task"], times: 2, pause: backOff },
    { after: ["gateway-failed", "dropped"], times: 1, pause: shortly, inVain: inVain.dropped },
  ],
};

const rowFor = (purpose: Purpose, ending: CallEnding): Repetition | undefined =>
  policy[purpose].find(({ after }) => after.includes(ending));

/** What the repeating of a request knows of the run. */
export interface RetryOptions {
  readonly sleep: (ms: number) => Promise<void>;
  /** bounds what the whole run waits for an agent that turns requests away */
  readonly busy?: BusyAgent;
  /** 0 to 1: spreads repeats, so that many requests do not come back at the same moment */
  readonly random: () => number;
  readonly inquiry: Inquiry;
  /** milliseconds after which the first call on an interface is not repeated any more */
  readonly contactWithin?: number;
  /** a connection that is closed without a response is an answer, unless the agent crashes */
  readonly mayHangUp?: boolean | undefined;
}

/** Finds out whether a request alone is to blame for what happens to it. */
export interface Inquiry {
  /** Sends a request alone whose connection was dropped, and finds out whether the agent crashes on it. */
  dropped<T>(call: Call, again: () => Promise<AttemptResult<T>>): Promise<Trial<T>>;
  /** The request was not answered in time: whether others are. */
  silent(call: Call): Promise<InquiryFinding | undefined>;
  /** The connection of this call broke. Starts the agent again, where we started it and its process has ended. */
  recover(call: Call): Promise<void>;
  /** The agent is known to crash on this request. */
  isCrash(call: Call): boolean;
}

/** It happens to this request again and again, while others are answered; or to others just as well. */
export type InquiryFinding = "to-blame" | "not-alone";

/**
 * Whether a request is sent once more after it ended so, every attempt counted, and how. Throws where it was repeated in
 * vain and shows nothing of the agent: then there is nothing to judge.
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
  // Where nothing is answered in time, waiting as long once more shows nothing new.
  const isHung = finding === "not-alone" && endings.at(-1) === "silence";
  if (counted <= row.times && !isHung) return { afterMs: row.pause(last, endings.length) };
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

/** The first attempt; one over a fresh connection; or one that is sent past all queues while everything else waits. */
export type AttemptMode = "first" | "repeat" | "alone";

/** Makes attempts, each but the first over a connection of its own, until the policy is content with how one ended. */
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
      // Where the policy would judge the last answer, that is what is left.
      if (rowFor(purpose, ended)?.inVain) throw inVain.waitTooLong(call, longestWaitMs);
      return value;
    }
    await sleep(ms);
    result = await attempt("repeat");
  }
}

/** As long as Retry-After says, however long that is; an agent that says "at once" and turns us away again gets a little more time each time. */
function backOff({ exchange }: Call, attempt: number): number {
  const asked = headerOf(exchange, "Retry-After");
  const seconds = asked !== undefined && /^\d{1,9}$/.test(asked) ? Number(asked) : undefined;
  if (seconds === undefined) return Math.min(250 * 2 ** attempt, 30_000);
  return Math.max(seconds * 1000 + 50, Math.min(50 * 2 ** attempt, 30_000));
}

/** What passes by itself often does so within a moment: 100 ms, 200 ms and so on, never more than three seconds. */
function shortly(_: Call, attempt: number): number {
  return Math.min(50 * 2 ** attempt, 3_000);
}
