import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import type { LooseEvent } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { isBreach } from "../../define/finding.ts";
import { repeatsIn, stepsOf } from "./events.ts";

// The judges read the events; the call is evidence.
const call = {} as Call;

const event = (is: LooseEvent["is"], generation: unknown, state?: string): LooseEvent => ({
  is,
  at: 0,
  json: {},
  content: { ...(generation !== undefined && { generation }) } as JsonObject,
  taskId: "t",
  contextId: "c",
  state,
});

const opened = (generation: unknown): LooseEvent => event("task", generation, "TASK_STATE_SUBMITTED");
const working = (generation: unknown): LooseEvent => event("status", generation, "TASK_STATE_WORKING");
const chunk = (generation: unknown): LooseEvent => event("artifact", generation);
const completed = (generation: unknown): LooseEvent => event("status", generation, "TASK_STATE_COMPLETED");

test.each([
  ["one more each time", [opened("1"), working("2"), chunk("3"), completed("4")], "holds", "holds"],
  ["numbers instead of strings", [opened(1), working(2), completed(3)], "holds", "holds"],
  ["above what a number can hold", [working("9007199254740993"), chunk("9007199254740994")], "holds", "holds"],
  ["an opening Task that is newer than the first event", [opened("3"), working("2"), chunk("3")], "holds", "holds"],
  ["a gap after the opening Task", [opened("1"), working("3"), completed("4")], "broken", "holds"],
  ["a gap between events", [opened("1"), working("2"), completed("4")], "broken", "holds"],
  ["a value that falls", [opened("1"), working("2"), chunk("3"), completed("2")], "broken", "broken"],
  ["an artifact that repeats a value", [working("2"), chunk("2"), completed("3")], "holds", "broken"],
  ["a status without a change", [working("2"), working("2"), completed("3")], "holds", "same-state-same-generation"],
  ["no generation", [opened(undefined), working(undefined)], "not-applicable", "not-applicable"],
  ["generation 0", [opened("0"), working("0"), completed("0")], "not-applicable", "not-applicable"],
] as const)("%s", (_, events, steps, repeats) => {
  const named = (found: ReturnType<typeof stepsOf>): string => (isBreach(found) ? found.code : found.is);
  expect(named(stepsOf({ events, call }))).toBe(steps);
  expect(named(repeatsIn({ events, call })[0]!)).toBe(repeats);
});
