import { say } from "../../fixtures/testbed.fixture.ts";
import { onceOf, type Row, row } from "./row.fixture.ts";

export const generationRows: readonly Row[] = [
  row("counts-for-all", async (agent) => (await agent.task("task-lifecycle hi")).generation, [undefined, "4"]),
  row(
    "never-waits",
    async (agent) => {
      const { id, generation } = await agent.task("multi-turn hi");
      const held = agent.ask("GetTask", { id, currentGeneration: generation! });
      // An agent that waits sees the change; the other one has answered before it.
      await agent.ask("GetTask", { id });
      if (await isSettled(held)) return "returns at once";
      await agent.ask("SendMessage", { message: say("done", { taskId: id }) });
      return Number((await held)["generation"]) > Number(generation) ? "waits" : "waits in vain";
    },
    ["waits", "returns at once"],
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
