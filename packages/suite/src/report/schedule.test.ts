import { expect, test } from "vitest";
import type { ExchangeRecorded, ObservationWait, Observed, RunEvent } from "./events.ts";
import { exchange, finished, grpc, jsonrpc, started } from "./run.fixture.ts";
import { lanesOf, timeSpent } from "./schedule.ts";

const what = "a stream of a task";
const observed = (from: number, to: number, waits: readonly ObservationWait[] = [], on = jsonrpc): Observed => ({
  event: "observed",
  what,
  interface: on,
  from,
  to,
  waits,
});
const during = (from: number, took: number, about: Partial<ExchangeRecorded> = {}): RunEvent => ({
  ...(exchange(`${from}`, from, took) as ExchangeRecorded),
  during: what,
  ...about,
});
const run = (...events: RunEvent[]): RunEvent[] => [started, ...events, { ...finished, duration_ms: 1_000 }];

test("a lane has the exchanges of its observation on its interface, and its waits above them", () => {
  const waits = [{ for: "due", from: 300, to: 900 }] as const;
  const lanes = lanesOf(
    run(
      during(100, 800, { operation: "SendStreamingMessage" }),
      during(200, 10),
      during(950, 10),
      observed(50, 900, waits),
    ),
  );
  expect(lanes).toEqual([
    {
      what,
      interface: jsonrpc,
      from: 50,
      to: 900,
      spans: [
        { is: "work", from: 100, to: 900 },
        { is: "answer", from: 200, to: 210 },
        { is: "due", from: 300, to: 900 },
      ],
    },
  ]);
});

test("the same observation on another interface is another lane", () => {
  const lanes = lanesOf(run(during(100, 10), observed(200, 300, [], grpc), observed(50, 150)));
  expect(lanes.map(({ interface: on, spans }) => [on?.binding, spans.length])).toEqual([
    ["JSONRPC", 1],
    ["GRPC", 0],
  ]);
});

test("every moment of a run goes on one thing: a stream that only has to close is waited for, not worked on", () => {
  const waits = [{ for: "due", from: 300, to: 900 }] as const;
  const spent = timeSpent(run(during(100, 800, { operation: "SendStreamingMessage" }), observed(100, 900, waits)));
  expect(spent).toMatchObject({ work: 200, due: 600, own: 200 });
  expect(Object.values(spent).reduce((sum, ms) => sum + ms, 0)).toBe(1_000);
});

test("what the agent does counts before what is waited for meanwhile", () => {
  const waits = [{ for: "turn", from: 0, to: 500 }] as const;
  const spent = timeSpent(run(during(200, 100, { working: true }), observed(0, 1_000, waits), exchange("x", 600, 50)));
  expect(spent).toMatchObject({ work: 100, turn: 400, answer: 50, own: 450 });
});
