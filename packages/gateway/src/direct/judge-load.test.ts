import { expect, test } from "vitest";
import { judgeLoad } from "./judge-load.ts";
import type { ComparedStream } from "./judge-messages.ts";
import { concurrentStreams } from "./load-runs.ts";

const exchange = { id: "x1", http: {}, timing: { startedAt: "", end: 0 } } as ComparedStream["exchange"];
const stream = (at: readonly number[], ends = true, more: Partial<ComparedStream> = {}): ComparedStream => ({
  ...{ exchange, messageId: "m1", is: "answered", at, stallMs: 0, opens: true, ends },
  ...{ isEndless: false, artifacts: new Map(), isComplete: true },
  ...more,
});
const message = (is: "answered" | "error" | "failed") => ({ exchange, messageId: "m1", is });
const fine = { direct: [message("answered")], through: [message("answered")] };

const events = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const [long, cut] = [stream(events(1_004)), stream(events(500), false)];
const [silent, silentCut] = [stream([0, 71_000]), stream([0], false)];
const short = stream([0, 100]);
const [closed, silentClosed] = [500, 1].map((count) => stream(events(count), false, { isEndless: true })) as [
  ComparedStream,
  ComparedStream,
];
const rejected = stream([], false, { is: "error" });

test.each([
  ["1,000 events that arrive", "GW-STREAM-MANY-EVENTS", [long, long], [long], "preserved"],
  ["a long stream that is cut twice", "GW-STREAM-MANY-EVENTS", [long, long], [cut, cut], "broken"],
  ["a long stream that is cut once", "GW-STREAM-MANY-EVENTS", [long, long], [cut, long], "preserved"],
  ["an agent with short streams", "GW-STREAM-MANY-EVENTS", [long, short], [cut, cut], "not-examined"],
  ["an agent that is brief behind the gateway", "GW-STREAM-MANY-EVENTS", [long, long], [short], "not-examined"],
  ["a long stream that Assay closed", "GW-STREAM-MANY-EVENTS", [long, long], [closed, closed], "not-examined"],
  ["an error of the agent", "GW-STREAM-MANY-EVENTS", [long, long], [rejected, rejected], "not-examined"],
  ["a silent stream that Assay closed", "GW-STREAM-IDLE", [silent, silent], [silentClosed, cut], "not-examined"],
  ["an error of a silent agent", "GW-STREAM-IDLE", [silent, silent], [rejected, rejected], "not-examined"],
  ["70 s of silence", "GW-STREAM-IDLE", [silent, silent], [silent], "preserved"],
  ["a silent stream that is cut twice", "GW-STREAM-IDLE", [silent, silent], [silentCut, silentCut], "broken"],
  ["a silent stream that is cut once", "GW-STREAM-IDLE", [silent, silent], [silentCut, silent], "preserved"],
  ["an agent that is never silent", "GW-STREAM-IDLE", [silent, short], [silentCut, silentCut], "not-examined"],
  ["an agent that is fast behind the gateway", "GW-STREAM-IDLE", [silent, silent], [short], "not-examined"],
])("%s", (_, property, direct, through, is) => {
  expect(judgeLoad({ big: fine }, { direct, through }).get(property)!.judgement.is).toBe(is);
});

test.each([
  ["answered", ["answered"], ["answered"], "preserved"],
  ["lost twice", ["answered", "answered"], ["failed", "failed"], "broken"],
  ["lost once", ["answered", "answered"], ["failed", "answered"], "preserved"],
  ["rejected by the agent behind the gateway", ["answered", "answered"], ["error", "error"], "preserved"],
  ["rejected directly", ["error"], [], "not-examined"],
  ["rejected directly the second time", ["answered", "failed"], ["failed", "failed"], "not-examined"],
] as const)("a message of 10 MB that is %s", (_, direct, through, is) => {
  const big = { direct: direct.map(message), through: through.map(message) };
  expect(judgeLoad({ big }, undefined).get("GW-BODY-SIZE")!.judgement.is).toBe(is);
});

test("a message of 10 MB without a response in time is not examined", () => {
  const failure = { code: "timeout-total", message: "timeout" } as const;
  const late = { ...message("failed"), exchange: { ...exchange, failure } };
  const big = { direct: [message("answered"), message("answered")], through: [message("failed"), late] };
  expect(judgeLoad({ big }, undefined).get("GW-BODY-SIZE")!.judgement).toEqual({
    is: "not-examined",
    because: "timeout",
  });
});

const round = (complete: number, more: Partial<ComparedStream> = {}): ComparedStream[] =>
  Array.from({ length: concurrentStreams }, (_, n) => stream([0], n < complete, n < complete ? {} : more));

test.each([
  ["complete", [50], [50], "preserved"],
  ["cut twice", [50, 50], [20, 30], "broken"],
  ["cut once", [50, 50], [20, 50], "preserved"],
  ["cut by the agent itself", [49], [], "not-examined"],
  ["cut by the agent itself the second time", [50, 49], [20, 20], "not-examined"],
])("50 streams that are %s", (_, direct, through, is) => {
  const streams = { direct: direct.map((n) => round(n)), through: through.map((n) => round(n)) };
  expect(judgeLoad({ big: fine, streams }, undefined).get("GW-STREAM-CONCURRENT")!.judgement.is).toBe(is);
});

test.each<[string, Partial<ComparedStream>]>([
  ["rejected by the agent behind the gateway", { is: "error" }],
  ["closed by Assay", { isEndless: true }],
])("50 streams of which some are %s are not cut by the gateway", (_, more) => {
  const streams = { direct: [round(50), round(50)], through: [round(20, more), round(20, more)] };
  expect(judgeLoad({ big: fine, streams }, undefined).get("GW-STREAM-CONCURRENT")!.judgement.is).toBe("not-examined");
});
