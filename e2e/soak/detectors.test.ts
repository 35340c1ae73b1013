import type { StreamResponse, Task, TaskState } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { Findings } from "../../bench/src/soak/findings.ts";
import { LatencyTable } from "../../bench/src/soak/latency-table.ts";
import { ToldChunks, tellApart } from "../../bench/src/soak/told-chunks.ts";
import { grows, type MemorySample, trendOf } from "../../bench/src/soak/trend.ts";

// A soak that finds nothing says something only if what it looks for is found where it is.

const taskOf = (chunks: readonly number[], state: TaskState = "TASK_STATE_WORKING"): Task => ({
  id: "t",
  contextId: "c",
  status: { state },
  artifacts: [{ artifactId: "chunks", parts: chunks.map((number) => ({ text: `${number} ...` })) }],
});
const opened = (...chunks: number[]): StreamResponse => ({ task: taskOf(chunks) });
const chunk = (number: number): StreamResponse => ({
  artifactUpdate: {
    taskId: "t",
    contextId: "c",
    artifact: { artifactId: "chunks", parts: [{ text: `${number} ...` }] },
    append: number > 1,
  },
});
const status = (state: TaskState): StreamResponse => ({
  statusUpdate: { taskId: "t", contextId: "c", status: { state } },
});
const completed = status("TASK_STATE_COMPLETED");
const leave = "leave";

function toldAll(events: readonly (StreamResponse | typeof leave)[], count = 4): ToldChunks {
  const told = new ToldChunks(count);
  for (const event of events) {
    if (event === leave) told.leave();
    else told.take(event);
  }
  told.end();
  return told;
}

describe("a stream", () => {
  test.each<[string, (StreamResponse | typeof leave)[], string[]]>([
    ["that tells all", [opened(), chunk(1), chunk(2), chunk(3), chunk(4), completed], []],
    [
      "that goes on where another was left",
      [opened(), chunk(1), leave, opened(1, 2), chunk(3), chunk(4), completed],
      [],
    ],
    [
      "that goes on where nothing happened",
      [opened(), chunk(1), leave, opened(1), chunk(2), chunk(3), chunk(4), completed],
      [],
    ],
    ["that loses one", [opened(), chunk(1), chunk(3), chunk(4), completed], ["lost"]],
    ["that loses the last", [opened(), chunk(1), chunk(2), chunk(3), completed], ["lost"]],
    ["that loses its end", [opened(), chunk(1), chunk(2), chunk(3), chunk(4)], ["lost"]],
    ["that doubles one", [opened(), chunk(1), chunk(2), chunk(2), chunk(3), chunk(4), completed], ["doubled"]],
    ["that swaps two", [opened(), chunk(1), chunk(3), chunk(2), chunk(4), completed], ["disordered"]],
    ["that goes on behind its end", [opened(), chunk(1), chunk(2), chunk(3), completed, chunk(4)], ["disordered"]],
    [
      "that does not begin with the task",
      [chunk(1), chunk(2), chunk(3), chunk(4), completed],
      ["lost", "lost", "lost", "lost", "lost"],
    ],
    [
      "that brings the task twice",
      [opened(), chunk(1), opened(1), chunk(2), chunk(3), chunk(4), completed],
      ["doubled"],
    ],
    [
      "that loses one while the client is away",
      [opened(), chunk(1), leave, opened(1), chunk(3), chunk(4), completed],
      ["lost"],
    ],
    [
      "that repeats what the task holds",
      [opened(), chunk(1), leave, opened(1, 2), chunk(2), chunk(3), chunk(4), completed],
      ["doubled"],
    ],
    [
      "whose task forgot what was told",
      [opened(), chunk(1), chunk(2), leave, opened(1), chunk(3), chunk(4), completed],
      ["lost"],
    ],
    ["whose task holds a gap", [opened(), leave, opened(1, 3), chunk(3), chunk(4), completed], ["different"]],
    ["whose task fails", [opened(), chunk(1), chunk(2), chunk(3), chunk(4), status("TASK_STATE_FAILED")], ["lost"]],
  ])("%s", (_name, events, kinds) => {
    expect(
      toldAll(events)
        .breaches.map(({ kind }) => kind)
        .sort(),
    ).toEqual(kinds);
  });

  test.each<[string, Task, boolean]>([
    ["is what was told", taskOf([1, 2, 3, 4], "TASK_STATE_COMPLETED"), true],
    ["has lost a chunk", taskOf([1, 2, 4], "TASK_STATE_COMPLETED"), false],
    ["has a chunk twice", taskOf([1, 2, 2, 3, 4], "TASK_STATE_COMPLETED"), false],
    ["has two chunks swapped", taskOf([1, 3, 2, 4], "TASK_STATE_COMPLETED"), false],
    ["goes on", taskOf([1, 2, 3, 4]), false],
  ])("whose task %s", (_name, task, isFine) => {
    const told = toldAll([opened(), chunk(1), chunk(2), chunk(3), chunk(4), completed]);
    told.compare(task);
    expect(told.breaches.map(({ kind }) => kind)).toEqual(isFine ? [] : ["different"]);
  });
});

test("subscribers of one task are told the same, each from where it joined", () => {
  const events = (...each: string[]) => ({ events: each });
  const all = events("WORKING", "1", "2", "3", "COMPLETED");
  expect(tellApart([all, events("2", "3", "COMPLETED"), all, events()])).toEqual([]);
  expect(tellApart([all, events("3", "2", "COMPLETED")])).toMatchObject([{ kind: "apart" }]);
  expect(tellApart([all, events("1", "2", "3")])).toMatchObject([{ kind: "apart" }]);
});

describe("memory", () => {
  const series = (at: (minute: number) => number, noise = 0): MemorySample[] =>
    Array.from({ length: 40 }, (_, index) => {
      const minutes = index / 5;
      // Up and down in turns: noise that is the same each time.
      return { minutes, megabytes: at(minutes) + (index % 2 ? noise : -noise) };
    });

  test("of which the slope is known", () => {
    const trend = trendOf(series((minute) => 100 + 3 * minute));
    expect(trend.megabytesPerMinute).toBeCloseTo(3, 9);
    expect(trend.uncertainty).toBeCloseTo(0, 9);
  });

  test.each<[string, MemorySample[], boolean]>([
    ["stays where it is", series(() => 100), false],
    ["goes up and down", series(() => 100, 20), false],
    ["shrinks", series((minute) => 100 - 5 * minute, 3), false],
    ["grows slower than the bound", series((minute) => 100 + minute), false],
    ["grows", series((minute) => 100 + 5 * minute), true],
    ["grows, up and down", series((minute) => 100 + 8 * minute, 5), true],
    ["was looked at twice", series((minute) => 100 + 50 * minute).slice(0, 2), false],
  ])("that %s", (_name, samples, isGrowing) => {
    expect(grows(trendOf(samples), 2)).toBe(isGrowing);
  });
});

test("what went wrong is counted in full, and told in part", () => {
  const findings = new Findings();
  for (let number = 0; number < 1_000; number++) findings.add({ kind: "error", what: `${number}` });
  findings.add({ kind: "lost", what: "chunk 3" });
  expect(findings.counts).toEqual({ error: 1_000, lost: 1 });
  expect(findings.breaches.map(({ what }) => what)).toEqual([
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "chunk 3",
  ]);
});

test("latencies are told by operation, and all together", () => {
  const table = new LatencyTable();
  for (let ms = 1; ms <= 100; ms++) table.add(ms <= 50 ? "GetTask" : "ListTasks", ms);
  expect(table.rows.map(({ operation, count, worst }) => [operation, count, worst])).toEqual([
    ["GetTask", 50, 50],
    ["ListTasks", 50, 100],
  ]);
  expect(table.all).toEqual({ operation: "all", count: 100, p50: 51, p99: 100, worst: 100 });
});
