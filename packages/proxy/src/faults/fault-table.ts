import { isStreaming, type Operation, operations } from "@assay/protocol";
import type { Effect } from "./effect.ts";
import { loseHeader, page, refuse, reset, truncate } from "./gateway.ts";
import { lag } from "./lag.ts";
import { skew } from "./skew.ts";
import { late, slow } from "./slowness.ts";
import { cut, drop, duplicate, reorder } from "./streams.ts";
import { duration, errorStatus, eventsOrTime, headerName, none, offset, type ValueKind, whole } from "./values.ts";

/** One kind of fault. `--fault list`, the grammar, the engine and docs/faults.md use this table. */
export interface FaultKind {
  /** the effect on the client or the agent */
  readonly means: string;
  /** the allowed values */
  readonly wants: string;
  /** the value that applies if none is given; a fault without a default has no value */
  readonly default?: string;
  /** the operations it can affect (default: all) */
  readonly operations?: readonly Operation[];
  /** how often it happens if no amount is given (default: every time) */
  readonly times?: number;
  /** Returns undefined for a value that it cannot have. */
  effectOf(value: string): Effect | undefined;
}

function kind<T>(
  value: ValueKind<T>,
  make: (value: T) => Effect,
  { means, ...more }: Pick<FaultKind, "means" | "default" | "operations" | "times">,
): FaultKind {
  return {
    means,
    ...more,
    wants: value.wants,
    effectOf(text) {
      const read = value.read(text);
      return read === undefined ? undefined : make(read);
    },
  };
}

const plain = (effect: Effect, means: string): FaultKind => ({ means, wants: none.wants, effectOf: () => effect });

const streams = (Object.keys(operations) as Operation[]).filter(isStreaming);
const reads: readonly Operation[] = ["GetTask", "ListTasks"];

export const faultKinds = {
  latency: kind(duration, (ms) => late(() => ms), { default: "1s", means: "delay the response" }),
  jitter: kind(duration, (ms) => late(({ chance }) => chance * ms), {
    default: "1s",
    means: "delay the response by a random time up to the value",
  }),
  slow: kind(whole, slow, { default: "1000", means: "send the response at this many bytes per second" }),
  cut: kind(eventsOrTime, cut, {
    default: "1",
    operations: streams,
    means: "close the connection of a stream after this many events, or after this time",
  }),
  reset: plain(reset, "pass the request to the agent, and reset the connection instead of answering"),
  "rate-limit": kind(duration, (ms) => page(429, [["Retry-After", `${Math.ceil(ms / 1_000)}`]]), {
    default: "1s",
    means: "answer 429 with Retry-After instead of passing the request on",
  }),
  status: kind(errorStatus, page, {
    default: "503",
    means: "answer with this HTTP status and an HTML page instead of passing the request on",
  }),
  drop: kind(whole, drop, { default: "2", operations: streams, means: "leave out this event of a stream" }),
  duplicate: kind(whole, duplicate, { default: "2", operations: streams, means: "send this event of a stream twice" }),
  reorder: kind(whole, reorder, {
    default: "2",
    operations: streams,
    means: "send this event of a stream after the next one",
  }),
  "lose-header": kind(headerName, loseHeader, {
    default: "A2A-Version",
    means: "remove this header from the request and from the response",
  }),
  truncate: kind(whole, truncate, {
    default: "20",
    means: "end the body of the response after this many bytes, without an error",
  }),
  refuse: kind(duration, refuse, {
    default: "5s",
    times: 1,
    means: "close every connection, and refuse new ones for this time",
  }),
  lag: kind(duration, lag, {
    default: "2s",
    operations: reads,
    means: "repeat the last response to the same request for this time, as a replica that is behind does",
  }),
  "deliver-twice": plain({ repeats: true }, "pass the request to the agent twice; the client gets one response"),
  skew: kind(offset, skew, {
    default: "5m",
    means: "shift the Date header and the times in JSON responses; gRPC stays unchanged",
  }),
} as const satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof faultKinds;
export const faultNames = Object.keys(faultKinds) as FaultName[];
export const faultKind = (name: FaultName): FaultKind => faultKinds[name];
