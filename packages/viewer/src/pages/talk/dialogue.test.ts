import { expect, test } from "vitest";
import type { StreamResponse, TalkEvent } from "../../documents/talk.ts";
import { heard, saidIn, silence, standingOf, taskOf } from "./dialogue.ts";

const begun = (turn: number, operation = "SendStreamingMessage"): TalkEvent => ({
  is: "begun",
  turn,
  at: "2026-11-15T08:00:00Z",
  operation: operation as "SendMessage",
  method: operation,
  on: 0,
  request: {},
});
const arrived = (turn: number, ms: number, ...events: StreamResponse[]): TalkEvent => ({
  is: "arrived",
  turn,
  ms,
  json: {},
  events,
  violations: [],
});
const state = (word: string): StreamResponse => ({
  statusUpdate: { taskId: "t", contextId: "c", status: { state: `TASK_STATE_${word}` as "TASK_STATE_WORKING" } },
});
const chunk = (text: string, append: boolean): StreamResponse => ({
  artifactUpdate: { taskId: "t", contextId: "c", artifact: { artifactId: "a", parts: [{ text }] }, append },
});

test("the events of a stream become states and one artifact that grows", () => {
  const { turns, tasks } = heard(silence, [
    begun(0),
    arrived(0, 1, { task: { id: "t", contextId: "c", status: { state: "TASK_STATE_SUBMITTED" } } }),
    arrived(0, 2, state("WORKING")),
    arrived(0, 3, chunk("one ", false)),
    arrived(0, 4, chunk("two", true)),
    arrived(0, 5, state("WORKING")),
  ]);
  expect(saidIn(turns[0]!)).toMatchObject([
    { is: "state", state: "TASK_STATE_SUBMITTED" },
    { is: "state", state: "TASK_STATE_WORKING" },
    { is: "artifact", id: "a", parts: [{ text: "one two" }], chunks: 2, isWhole: false },
    { is: "state", state: "TASK_STATE_WORKING" },
  ]);
  expect(taskOf(turns[0]!)).toBe("t");
  expect(tasks).toEqual([
    { id: "t", contextId: "c", states: ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"], openTurns: [0] },
  ]);
});

test("a task is open as long as a stream tells of it", () => {
  const open = heard(silence, [begun(0), arrived(0, 1, state("WORKING"))]);
  const left = heard(open, [{ is: "over", turn: 0, ms: 2, ending: "left" }]);
  const again = heard(left, [begun(1, "SubscribeToTask"), arrived(1, 1, state("COMPLETED"))]);
  expect([open, left, again].map(({ tasks }) => tasks[0]!.openTurns)).toEqual([[0], [], [1]]);
  expect(again.tasks[0]!.states).toEqual(["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
});

test("nothing is valid before it was judged, and a warning is not a failure", () => {
  const asked = heard(silence, [begun(0), arrived(0, 1, state("WORKING"))]);
  const breach = { party: "agent", rule: "STREAM-003", message: "m" } as const;
  const judged = (more: object) =>
    standingOf(heard(asked, [{ is: "judged", turn: 0, breaches: [], ...more }]).turns[0]!);
  expect(standingOf(asked.turns[0]!)).toBe("waiting");
  expect(judged({})).toBe("valid");
  expect(judged({ unjudged: "no card" })).toBe("unjudged");
  expect(judged({ breaches: [{ ...breach, severity: "warning" }] })).toBe("warned");
  expect(judged({ breaches: [{ ...breach, severity: "fail" }] })).toBe("invalid");
  expect(judged({ breaches: [{ ...breach, severity: "fail", party: "client" }] })).toBe("valid");
  const broken = heard(asked, [{ is: "arrived", turn: 0, ms: 2, json: {}, violations: [{ path: "$", message: "m" }] }]);
  expect(standingOf(broken.turns[0]!)).toBe("invalid");
});
