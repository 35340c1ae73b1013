import type { StreamResponse, Task, TaskState } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { conversations } from "../../bench/src/soak/conversations.ts";
import { Findings } from "../../bench/src/soak/findings.ts";
import { expectFall, judgeServer } from "../../bench/src/soak/judging-server.ts";
import { LatencyTable } from "../../bench/src/soak/latency-table.ts";
import type { LoadClient } from "../../bench/src/soak/load-client.ts";
import { judgeMemory } from "../../bench/src/soak/memory-watch.ts";
import { ToldChunks, tellApart } from "../../bench/src/soak/told-chunks.ts";
import { grows, type MemorySample, trendOf } from "../../bench/src/soak/trend.ts";

// A soak without findings proves something only if its detectors find each planted problem.

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

test("subscribers of one task get the same events from their start on", () => {
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
      // Alternating noise, the same in every run.
      return { minutes, megabytes: at(minutes) + (index % 2 ? noise : -noise) };
    });

  test("fits the slope of known samples", () => {
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

test("every problem is counted, and some are printed", () => {
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

test("latencies are listed by operation and in total", () => {
  const table = new LatencyTable();
  for (let ms = 1; ms <= 100; ms++) table.add(ms <= 50 ? "GetTask" : "ListTasks", ms);
  expect(table.rows.map(({ operation, count, worst }) => [operation, count, worst])).toEqual([
    ["GetTask", 50, 50],
    ["ListTasks", 50, 100],
  ]);
  expect(table.all).toEqual({ operation: "all", count: 100, p50: 51, p99: 100, worst: 100 });
});

describe("a run", () => {
  const kinds = (findings: Findings) => findings.breaches.map(({ kind }) => kind);

  test("reports memory that grows after the warm-up", () => {
    const growing = {
      from: 100,
      most: 130,
      to: 130,
      bound: 2,
      trend: { megabytesPerMinute: 5, uncertainty: 0.5, samples: 30 },
    };
    const findings = new Findings();
    judgeMemory("heap", growing, 10, findings);
    judgeMemory("heap", { ...growing, trend: { ...growing.trend, megabytesPerMinute: 2 } }, 10, findings);
    // One minute is too short for a verdict.
    judgeMemory("heap", growing, 1, findings);
    expect(kinds(findings)).toEqual(["grown"]);
  });

  test("reports a server that ended or logged an error", () => {
    const findings = new Findings();
    judgeServer({ ended: () => undefined, complaints: () => "" }, findings);
    expect(kinds(findings)).toEqual([]);
    judgeServer({ ended: () => "it ended with SIGABRT", complaints: () => "assay serve: no room" }, findings);
    expect(kinds(findings)).toEqual(["ended", "complaint"]);
  });

  test("reports streams that stay open after their clients disconnect", async () => {
    const findings = new Findings();
    const server = (...values: number[]) => ({ gauge: async () => values.shift() ?? 1, ended: () => undefined });
    await expectFall(server(5, 3, 0), "assay_streams", 0, findings, 60_000);
    expect(kinds(findings)).toEqual([]);
    await expectFall(server(), "assay_streams", 0, findings, 50);
    expect(findings.breaches).toEqual([{ kind: "left", what: "assay_streams stays at 1" }]);
  });

  /** Returns a client whose server creates tasks, and lists those that `listed` returns. */
  const listing = (listed: (made: readonly string[]) => string[]): LoadClient => {
    const made: string[] = [];
    const ask = async (operation: string) => {
      if (operation === "ListTasks") return { tasks: listed(made).map((id) => ({ id })) };
      made.push(`task ${made.length}`);
      return { task: { id: made.at(-1), status: { state: "TASK_STATE_COMPLETED" } } };
    };
    return { ask } as unknown as LoadClient;
  };

  test.each<[string, (made: readonly string[]) => string[], boolean]>([
    ["all tasks once", (made) => made.toReversed(), true],
    ["one task less", (made) => made.slice(1), false],
    ["one task twice", (made) => [...made, made[0]!], false],
    ["a task of another context", (made) => [...made.slice(1), "other"], false],
  ])("whose server lists %s", async (_name, listed, isFine) => {
    const asked = conversations["tasks that are listed"]!(listing(listed), "");
    await (isFine ? expect(asked).resolves.toBeUndefined() : expect(asked).rejects.toThrow("the tasks of a context"));
  });

  test.each(["a task that is read again", "a task that is canceled", "a task that is continued"])(
    "in which %s ends as it should not",
    async (name) => {
      const failed = {
        id: "t",
        status: { state: "TASK_STATE_FAILED" },
        task: { id: "t", status: { state: "TASK_STATE_FAILED" } },
      };
      const client = { ask: async () => failed } as unknown as LoadClient;
      await expect(conversations[name]!(client, "")).rejects.toThrow("a task is TASK_STATE_FAILED");
    },
  );
});
