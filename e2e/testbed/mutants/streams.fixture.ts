import { expect } from "vitest";
import { quickly } from "../../fixtures/subject.fixture.ts";
import { kinds, type Row, row, stream } from "./row.fixture.ts";

export const streamRows: readonly Row[] = [
  row("STREAM-003.status-first", async (agent) => kinds(await stream(agent, "task-lifecycle hi")), [
    ["task", "WORKING", "result", "COMPLETED"],
    ["WORKING", "result", "COMPLETED"],
  ]),
  row(
    "STREAM-005.stays-open",
    async (agent) => {
      const heard = await stream(agent, "task-lifecycle hi", agent.isBase ? {} : { lingerMs: 1_000 });
      return [kinds(heard).at(-1), heard.ended];
    },
    [
      ["COMPLETED", true],
      ["COMPLETED", false],
    ],
  ),
  row("STREAM-006.no-ending", async (agent) => kinds(await stream(agent, "task-lifecycle hi")), [
    ["task", "WORKING", "result", "COMPLETED"],
    ["task", "WORKING", "result"],
  ]),
  row(
    "STREAM-007.late-status",
    async (agent) => kinds(await stream(agent, "task-lifecycle hi", { binding: "HTTP+JSON" })),
    [
      ["task", "WORKING", "result", "COMPLETED"],
      ["task", "WORKING", "result", "COMPLETED", "WORKING"],
    ],
  ),
  row(
    "STREAM-013.dies-with-client",
    async (agent) => {
      // The task ends by itself, or runs longer than the client needs to disconnect.
      const { events } = await stream(agent, agent.isBase ? "slow 10" : "slow 600", { leaveAfter: 1 });
      return agent.ending(events[0]!.task!.id);
    },
    ["TASK_STATE_COMPLETED", "TASK_STATE_CANCELED"],
  ),
  row(
    "STREAM-019.no-context",
    async (agent) => {
      const { events } = await stream(agent, "task-lifecycle hi");
      const { contextId } = events[0]!.task!;
      return events.slice(1).map(({ statusUpdate, artifactUpdate }) => {
        return (statusUpdate ?? artifactUpdate)!.contextId === contextId;
      });
    },
    [
      [true, true, true],
      [false, false, false],
    ],
  ),
  row(
    "STREAM-020.one-burst",
    async (agent) => {
      // Runs longer than any test waits.
      const listening = agent.isBase ? { leaveAfter: 2 } : { patienceMs: 1_000 };
      return (await stream(agent, "slow 600", listening)).events.length > 0;
    },
    [true, false],
  ),
  row(
    "STREAM-022.every-chunk-last",
    async (agent) =>
      (await stream(agent, "chunks 3")).events.flatMap(({ artifactUpdate }) => artifactUpdate?.lastChunk ?? []),
    [[true], [true, true, true]],
  ),
  row(
    "SUB-001.no-snapshot",
    async (agent) => {
      const { id } = await agent.task("chunks 1000 10 1000", quickly);
      return kinds(await agent.events("SubscribeToTask", { id }, { leaveAfter: 1 }))[0];
    },
    ["task", expect.stringMatching(/WORKING|chunks/)],
  ),
  row(
    "SUB-003.replays",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const heard = await agent.events("SubscribeToTask", { id });
      return heard.type === "application/json" ? "refused" : kinds(heard);
    },
    ["refused", ["task"]],
  ),
];
