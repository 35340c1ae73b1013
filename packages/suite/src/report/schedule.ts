import type { ExchangeRecorded, Observed, RunEvent } from "./events.ts";
import { type InterfaceName, interfaceKey } from "./result.ts";

/**
 * The uses of a run's time. If several overlap, the first in this order counts:
 * - work: the agent works on a message or streams
 * - answer: it answers another call
 * - retry: a retry is pending
 * - time-out: nothing arrives until a timeout
 * - due: an event is due
 * - pause: Assay watches for other events
 * - turn: an observation waits for its turn
 */
export const spans = ["work", "answer", "retry", "time-out", "due", "pause", "turn"] as const;
export type SpanKind = (typeof spans)[number];

/** Milliseconds since the start of the run. */
export interface TimeSpan {
  readonly is: SpanKind;
  readonly from: number;
  readonly to: number;
}

/** One observation and the use of its time. A later span covers an earlier one. */
export interface ScheduleLane {
  readonly what: string;
  readonly interface?: InterfaceName;
  readonly from: number;
  readonly to: number;
  readonly spans: readonly TimeSpan[];
}

/** Returns the observations of a run in the order of their start. */
export function lanesOf(events: readonly RunEvent[]): ScheduleLane[] {
  const exchanges = new Map<string, TimeSpan[]>();
  for (const { span, key } of exchangesIn(events)) {
    const known = exchanges.get(key);
    if (known) known.push(span);
    else exchanges.set(key, [span]);
  }
  return events
    .filter((event) => event.event === "observed")
    .map(({ event: _, waits, ...lane }) => {
      const own = exchanges.get(keyOf(lane.what, lane.interface)) ?? [];
      const during = own.filter((span) => span.from >= lane.from - 1 && span.from <= lane.to);
      // When only the end of a stream is due, the rest of the stream is not work of the agent.
      return { ...lane, spans: [...during, ...waits.map(waiting)] };
    })
    .toSorted((a, b) => a.from - b.from);
}

/** Returns the milliseconds of the run per use. `own` is the rest: work of Assay itself. */
export function timeSpent(events: readonly RunEvent[]): Readonly<Record<SpanKind | "own", number>> {
  const lanes = lanesOf(events);
  const observed = new Set(lanes.map(({ what, interface: on }) => keyOf(what, on)));
  const others = exchangesIn(events).flatMap(({ span, key }) => (observed.has(key) ? [] : [span]));
  const all = [...others, ...lanes.flatMap(({ spans: own }) => uncovered(own))];
  const spent: Record<SpanKind | "own", number> = {
    work: 0,
    answer: 0,
    retry: 0,
    "time-out": 0,
    due: 0,
    pause: 0,
    turn: 0,
    own: 0,
  };
  const finished = events.find((event) => event.event === "run-finished");
  const end = finished?.duration_ms ?? Math.max(0, ...all.map(({ to }) => to));
  const open = new Map<SpanKind, number>(spans.map((each) => [each, 0]));
  let at = 0;
  const pass = (until: number): void => {
    const now = spans.find((each) => open.get(each)! > 0) ?? "own";
    spent[now] += Math.max(0, Math.min(until, end) - at);
    at = Math.max(at, Math.min(until, end));
  };
  const turns = all.flatMap(({ is, from, to }) => [
    { at: from, is, by: 1 },
    { at: to, is, by: -1 },
  ]);
  for (const turn of turns.toSorted((a, b) => a.at - b.at)) {
    pass(turn.at);
    open.set(turn.is, open.get(turn.is)! + turn.by);
  }
  pass(end);
  return spent;
}

const keyOf = (what: string | undefined, on: InterfaceName | undefined): string =>
  JSON.stringify([what, on && interfaceKey(on)]);

const waiting = ({ for: is, from, to }: Observed["waits"][number]): TimeSpan => ({ is, from, to });

function exchangesIn(events: readonly RunEvent[]): { readonly span: TimeSpan; readonly key: string }[] {
  const started = events.find((event) => event.event === "run-started");
  const zero = started ? Date.parse(started.at) : 0;
  return events
    .filter((event) => event.event === "exchange")
    .map((event) => {
      const from = Date.parse(event.entry.startedDateTime) - zero;
      return {
        span: { is: kindOf(event), from, to: from + event.entry.time },
        key: keyOf(event.during, event.interface),
      };
    });
}

const streamed: ReadonlySet<string | undefined> = new Set(["SendStreamingMessage", "SubscribeToTask"]);

function kindOf({ working, operation, entry }: ExchangeRecorded): SpanKind {
  // The code of a failure precedes its text.
  if (entry.response._error?.startsWith("timeout")) return "time-out";
  return working || streamed.has(operation) ? "work" : "answer";
}

/** Removes the parts of spans that later spans cover. */
function uncovered(own: readonly TimeSpan[]): TimeSpan[] {
  return own.flatMap((span, index) => {
    const above = own.slice(index + 1).filter(({ is }) => is === "due" && span.is === "work");
    return above.reduce<TimeSpan[]>((left, cover) => left.flatMap((part) => without(part, cover)), [span]);
  });
}

const without = ({ is, from, to }: TimeSpan, cover: TimeSpan): TimeSpan[] =>
  [
    { is, from, to: Math.min(to, cover.from) },
    { is, from: Math.max(from, cover.to), to },
  ].filter((part) => part.to > part.from);
