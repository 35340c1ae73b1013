import type { Subject } from "../../fixtures/subject.fixture.ts";
import { say, sending, until } from "../../fixtures/testbed.fixture.ts";
import { isUnfound, newTask, onceOf, outcome, type Row, row } from "./row.fixture.ts";

const said = async (agent: Subject) => outcome(await agent.ask("SendMessage", sending("task-lifecycle hi")));

export const memoryRows: readonly Row[] = [
  row(
    "purges-ended",
    async (agent) => outcome(await agent.ask("GetTask", { id: (await agent.task("task-lifecycle hi")).id })),
    ["id", -32001],
    { forgets: true },
  ),
  row(
    "purges-ended-later",
    async (agent) => {
      const id = await newTask(agent);
      const isThere = await onceOf(async () => !isUnfound(await agent.ask("GetTask", { id: await newTask(agent) })));
      const look = () => agent.ask("GetTask", { id });
      return [isThere, isUnfound(agent.isBase ? await look() : await until(look, isUnfound))];
    },
    [
      [true, false],
      [true, true],
    ],
  ),
  row(
    "own-contexts",
    async (agent) => {
      const message = say("task-lifecycle hi", { contextId: crypto.randomUUID() });
      return outcome(await agent.ask("SendMessage", { message }));
    },
    ["task", -32602],
  ),
  row("reads-data-alone", said, ["task", -32005], { refuses: true }),
  row("forbids-messages", said, ["task", -31403], { refuses: true }),
  row(
    "wants-payment",
    async (agent) => (await agent.hear("JSONRPC", "SendMessage", sending("task-lifecycle hi"))).status,
    [200, 402],
    { refuses: true },
  ),
  row(
    "any-media",
    async (agent) => {
      const message = say("task-lifecycle hi", { parts: [{ text: "task-lifecycle hi", mediaType: "x/y" }] });
      return outcome(await agent.ask("SendMessage", { message }));
    },
    [-32005, "task"],
  ),
];
