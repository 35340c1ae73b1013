import { expect, test } from "vitest";
import { type ComparedStream, firstEventNote, judgeStream } from "./judge-messages.ts";

const stream = (at: readonly number[], more: Partial<ComparedStream> = {}): ComparedStream => ({
  exchange: { id: "x1", http: {}, timing: { startedAt: "", end: 0 } } as ComparedStream["exchange"],
  messageId: "m1",
  is: "answered",
  at,
  stallMs: 0,
  opens: true,
  ends: true,
  isEndless: false,
  artifacts: new Map(),
  isComplete: true,
  ...more,
});

const spread = stream([100, 1_000, 2_000]);

const timing = (direct: ComparedStream[], through: ComparedStream[]): string =>
  judgeStream({ direct, through }).get("GW-STREAM-TIMING")!.judgement.is;
const events = (direct: ComparedStream[], through: ComparedStream[]): string =>
  judgeStream({ direct, through }).get("GW-STREAM-EVENTS")!.judgement.is;

test("a stream without events has no time of a first event", () => {
  const note = firstEventNote({ direct: [spread, stream([9])], through: [stream([]), stream([])] });
  expect(note).toBe("first event after 100 ms and 9 ms directly, never through the gateway");
});

test("events that arrive together at the end, twice, are held back", () => {
  const lump = stream([1_900, 1_901, 1_902]);
  expect(timing([spread, spread], [lump, lump])).toBe("broken");
});

test.each([
  ["once", [stream([1_900, 1_901, 1_902]), spread], "preserved"],
  ["because the agent was faster this time", [stream([100, 101, 102]), stream([100, 101, 102])], "not-examined"],
  ["because Assay was busy", [stream([1_900, 1_901], { stallMs: 1_500 })], "not-examined"],
  ["because there is only one", [stream([1_900])], "not-examined"],
])("events that arrive together %s are not held back", (_, through, is) => {
  expect(timing([spread, spread], through)).toBe(is);
});

test("an agent that sends its events at once shows nothing", () => {
  const lump = stream([1_900, 1_901, 1_902]);
  expect(timing([spread, lump], [lump, lump])).toBe("not-examined");
});

test("a stream is broken only if every one through the gateway is, and no direct one", () => {
  const cut = stream([100], { ends: false });
  expect(events([spread, spread], [cut, cut])).toBe("broken");
  expect(events([spread, spread], [cut, spread])).toBe("preserved");
  expect(events([spread, cut], [cut, cut])).not.toBe("broken");
});

test("an error of the agent is not the gateway's", () => {
  const error = stream([], { is: "error", opens: false, ends: false, isComplete: undefined });
  expect(events([spread, spread], [error, error])).toBe("not-examined");
  expect(events([error, spread], [spread])).toBe("not-examined");
});

test("streams that cannot be compared with a kept task are not examined", () => {
  const unknown = stream([100, 1_000], { isComplete: undefined });
  expect(events([unknown, spread], [spread])).toBe("not-examined");
});
