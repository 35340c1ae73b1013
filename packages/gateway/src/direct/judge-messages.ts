import type { Exchange } from "@assay/wire";
import { answeredHeader, foreignId } from "../compare.ts";
import { broken, type ExaminedProperty, notExamined, type PropertyVerdict, preserved } from "../verdict.ts";
import type { MessageOutcome, WatchedStream } from "./messages.ts";

/** One message on both paths: sent twice directly, and once or twice through the gateway. */
export interface ComparedMessages<T> {
  readonly direct: readonly T[];
  readonly through: readonly T[];
}

export interface ComparedStream extends WatchedStream {
  /** the events make up the artifacts that the agent keeps; undefined if it does not return the task */
  readonly isComplete: boolean | undefined;
}

/** The agent must spread its events over this time in both direct runs, or nothing can be held back visibly. */
const leastSpreadMs = 1_000;

export const shown = <T extends MessageOutcome>({
  direct,
  through,
}: ComparedMessages<T>): ExaminedProperty["passages"] =>
  through.slice(-1).map(({ exchange }) => ({ client: exchange, agent: direct.slice(-1).map((each) => each.exchange) }));

function answerOf(exchange: Exchange): string {
  const { http, failure, timing } = exchange;
  const type = answeredHeader(exchange, "content-type") ?? "no content type";
  return `${failure?.message ?? `HTTP ${http.response?.status} with ${type}`}, after ${seconds(timing.end)}`;
}

/**
 * Judges failed messages. The agent may fail at random, so the message must fail in every call through the gateway and
 * in no direct one.
 */
export function judgeSent(sent: ComparedMessages<MessageOutcome>): PropertyVerdict {
  const because = incomparable(sent);
  if (because !== undefined) return notExamined(because);
  if (sent.through.some(({ is }) => is !== "failed")) return preserved;
  return broken("a message fails behind the gateway", {
    saw: answerOf(sent.through.at(-1)!.exchange),
    want: "a task or a message, as directly",
  });
}

function incomparable({ direct, through }: ComparedMessages<MessageOutcome>): string | undefined {
  if (direct.some(({ is }) => is === "error"))
    return "the agent rejects the message. Choose another one with --message";
  if (direct.some(({ is }) => is === "failed")) return "the agent did not answer every direct message";
  return through.some(({ is }) => is === "error")
    ? "the agent answered with an error only behind the gateway"
    : undefined;
}

interface StreamFact {
  holds(stream: ComparedStream): boolean;
  readonly message: string;
  saw(stream: ComparedStream): string;
  readonly want: string;
}

const countOf = ({ at }: ComparedStream): string => (at.length === 1 ? "1 event" : `${at.length} events`);

const foreignIdIn = (exchange: Exchange): string | undefined =>
  exchange.http.sse?.events.map(({ data }) => foreignId(exchange, data)).find((id) => id !== undefined);

/** Facts that hold for every stream of a correct agent, whatever it generates. */
const streamFacts: readonly StreamFact[] = [
  {
    holds: ({ at }) => at.length > 0,
    message: "a stream fails behind the gateway",
    saw: ({ exchange }) => answerOf(exchange),
    want: "a stream of events, as directly",
  },
  {
    holds: ({ opens }) => opens,
    message: "the first event of a stream is lost",
    saw: () => "an update of a task that no event introduced",
    want: "the task or the message first, as directly",
  },
  {
    holds: ({ is }) => is === "answered",
    message: "a stream breaks off or has an event that cannot be read",
    saw: (stream) => `${countOf(stream)}, then: ${stream.exchange.failure?.message ?? "an event that is not A2A"}`,
    want: "events until the task rests, as directly",
  },
  {
    holds: ({ ends }) => ends,
    message: "the last events of a stream are lost",
    saw: (stream) => `${countOf(stream)}, and no end of the task`,
    want: "events until the task rests, as directly",
  },
  {
    holds: ({ exchange }) => foreignIdIn(exchange) === undefined,
    message: "the events of a stream have another JSON-RPC id than the request",
    saw: ({ exchange }) => `$.id: ${foreignIdIn(exchange)}`,
    want: "the id of the request, as directly",
  },
  {
    holds: ({ isComplete }) => isComplete !== false,
    message: "events with artifacts are lost or changed",
    saw: () => "other artifacts in the events than the agent keeps for this task",
    want: "the artifacts that GetTask returns, as directly",
  },
];

/** Returns true if a stream through the gateway has to be tried again before it is judged. */
export const isOddStream = (stream: ComparedStream, direct: readonly ComparedStream[]): boolean =>
  streamFacts.some(({ holds }) => !holds(stream)) || isLump(stream, direct);

export function judgeStream(streams: ComparedMessages<ComparedStream>): ReadonlyMap<string, ExaminedProperty> {
  const passages = shown(streams);
  return new Map([
    ["GW-STREAM-EVENTS", { judgement: eventsJudgement(streams), passages }],
    ["GW-STREAM-TIMING", { judgement: timingJudgement(streams), passages }],
  ]);
}

function eventsJudgement(streams: ComparedMessages<ComparedStream>): PropertyVerdict {
  const { direct, through } = streams;
  const because = incomparableStreams(streams);
  if (because !== undefined) return notExamined(because);
  const lost = streamFacts.find(({ holds }) => direct.every(holds) && !through.some(holds));
  if (lost) return broken(lost.message, { saw: lost.saw(through.at(-1)!), want: lost.want });
  return [...direct, ...through].every(({ isComplete }) => isComplete)
    ? preserved
    : notExamined("the agent keeps no artifacts that the events can be compared with");
}

/** Returns why streams cannot be compared: errors of the agent, and streams that Assay closed itself. */
export function incomparableStreams(streams: ComparedMessages<WatchedStream>): string | undefined {
  const isEndless = [...streams.direct, ...streams.through].some((each) => each.isEndless);
  return incomparable(streams) ?? (isEndless ? "a stream of the agent did not end in time" : undefined);
}

const firstOf = ({ at }: ComparedStream): number => at[0] ?? 0;
const lastOf = ({ at }: ComparedStream): number => at.at(-1) ?? 0;
const spreadOf = (stream: ComparedStream): number => lastOf(stream) - firstOf(stream);

/** Returns true if all events arrive together, and not before the agent is usually done. */
function isLump(stream: ComparedStream, direct: readonly ComparedStream[]): boolean {
  const spread = Math.min(...direct.map(spreadOf));
  const whole = Math.min(...direct.map(lastOf));
  return (
    spread >= leastSpreadMs &&
    stream.stallMs < spread / 2 &&
    stream.at.length > 1 &&
    spreadOf(stream) < spread / 10 &&
    firstOf(stream) > 0.8 * whole
  );
}

function timingJudgement(streams: ComparedMessages<ComparedStream>): PropertyVerdict {
  const { direct, through } = streams;
  const because = incomparableStreams(streams);
  if (because !== undefined) return notExamined(because);
  if (direct.some((stream) => spreadOf(stream) < leastSpreadMs))
    return notExamined("the agent sends its events within 1 s. Choose a message that takes longer with --message");
  if (through.some(({ at }) => at.length < 2)) return notExamined("fewer than two events arrived through the gateway");
  if (through.every((stream) => isLump(stream, direct)))
    return broken("the gateway holds events back until the stream ends", {
      saw: `all ${countOf(through.at(-1)!)} at once, after ${seconds(firstOf(through.at(-1)!))}`,
      want: `the first event after ${seconds(firstOf(direct.at(-1)!))}, and the others over ${seconds(spreadOf(direct.at(-1)!))}, as directly`,
    });
  const isSpread = through.some((stream) => spreadOf(stream) >= Math.min(...direct.map(spreadOf)) / 10);
  return isSpread ? preserved : notExamined("the agent sent its events at once behind the gateway");
}

const seconds = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);

/** "first event after 12 ms and 9 ms directly, 5.2 s through the gateway" */
export function firstEventNote({ direct, through }: ComparedMessages<ComparedStream>): string {
  const times = (streams: readonly ComparedStream[]): string =>
    streams.flatMap(({ at: [first] }) => (first === undefined ? [] : seconds(first))).join(" and ") || "never";
  return `first event after ${times(direct)} directly, ${times(through)} through the gateway`;
}
