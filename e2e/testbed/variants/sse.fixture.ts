import { unknownTask } from "../../fixtures/testbed.fixture.ts";
import { keysOf, type Row, row, streamed } from "./row.fixture.ts";

export const sseRows: readonly Row[] = [
  row("crlf", async (agent) => /\r\n\r\n/.test((await streamed(agent)).raw), [false, true]),
  row("cr", async (agent) => /\n/.test((await streamed(agent)).raw), [true, false], {
    sdkFails: "its reader of event streams splits lines at LF alone, so it finds no event",
  }),
  row("multi-line-data", async (agent) => (await streamed(agent)).raw.match(/^data: /gm)!.length > 20, [false, true]),
  row("sse-extras", async (agent) => (await streamed(agent)).raw.match(/^(id|retry|event|)(?=:)/gm), [
    null,
    Array.from({ length: 4 }, () => ["", "retry", "event", "id"]).flat(),
  ]),
  row("no-space", async (agent) => (await streamed(agent)).raw.slice(0, 6), ["data: ", "data:{"]),
  row("sse-charset", async (agent) => (await streamed(agent)).type, [
    "text/event-stream",
    "text/event-stream; charset=utf-8",
  ]),
  row(
    "errors-as-events",
    async (agent) => {
      const { type, events } = await agent.events("SubscribeToTask", { id: unknownTask });
      return [type, events.map((event) => keysOf(event))];
    },
    [
      ["application/json", []],
      ["text/event-stream", [["jsonrpc", "id", "error"]]],
    ],
  ),
  row(
    "escaped-unicode",
    async (agent) => {
      const { raw, events } = await streamed(agent, "task-lifecycle é漢😀");
      const texts = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts[0]?.text ?? []);
      return [/[^\0-\x7f]/.test(raw), texts];
    },
    [
      [true, ["[task-lifecycle] Processed: task-lifecycle é漢😀"]],
      [false, ["[task-lifecycle] Processed: task-lifecycle é漢😀"]],
    ],
  ),
];
