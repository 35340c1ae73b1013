import type { Subject } from "../../fixtures/subject.fixture.ts";
import { say, sending } from "../../fixtures/testbed.fixture.ts";
import { onceOf, outcome, type Row, row } from "./row.fixture.ts";

/** Gets a task with its current generation. Returns true if the agent waits for a change. */
async function holdsReads(agent: Subject): Promise<string> {
  const { id, generation } = await agent.task("multi-turn hi");
  const held = agent.ask("GetTask", { id, currentGeneration: generation! });
  // An agent that waits returns the change; the other one responds before it.
  await agent.ask("GetTask", { id });
  if (await isSettled(held)) return "returns at once";
  await agent.ask("SendMessage", { message: say("done", { taskId: id }) });
  return Number((await held)["generation"]) > Number(generation) ? "waits" : "waits in vain";
}

export const generationRows: readonly Row[] = [
  row(
    "only-1.1",
    async (agent) => outcome(await agent.ask("SendMessage", sending("message-only x"))),
    ["message", -32009],
    // Our clients here name version 1.0.
    { refuses: true },
  ),
  row(
    "newer-elsewhere",
    async (agent) => {
      const { supportedInterfaces } = JSON.parse((await agent.get("/.well-known/agent-card.json")).text);
      return supportedInterfaces[0].protocolVersion;
    },
    ["1.0", "1.1"],
  ),
  row("counts-for-all", async (agent) => (await agent.task("task-lifecycle hi")).generation, [undefined, "4"]),
  row("never-waits", holdsReads, ["waits", "returns at once"]),
  row("never-waits-for-progress", holdsReads, ["waits", "returns at once"]),
  row("slow-reads", holdsReads, ["waits", "returns at once"]),
  row(
    "busy-reads",
    async (agent) => {
      const { id } = await agent.task("task-lifecycle hi");
      const read = async () => outcome(await agent.ask("GetTask", { id, currentGeneration: 1 }));
      return [await read(), await read()];
    },
    [
      ["id", "id"],
      [-32603, "id"],
    ],
  ),
  row("submits-twice", async (agent) => (await agent.task("task-lifecycle hi")).generation, ["4", "5"]),
  row(
    "loses-answers",
    async (agent) => {
      const { id, generation } = await agent.task("multi-turn hi");
      const more = { message: say("again", { taskId: id }), configuration: { ifGenerationMatch: generation } };
      return outcome(await agent.ask("SendMessage", more));
    },
    // This client repeats a request whose connection broke. Then the generation has changed.
    ["task", -32010],
  ),
  row(
    "waits-for-ended",
    async (agent) => {
      const { id, generation } = await agent.task("task-lifecycle hi");
      const held = agent.ask("GetTask", { id, currentGeneration: generation! });
      return onceOf(async () => {
        await agent.ask("GetTask", { id });
        return isSettled(held);
      });
    },
    [true, false],
  ),
];

const isSettled = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);
