import { isObject, type JsonValue } from "@assay/protocol";
import { brief } from "../../../answers/reading.ts";
import type { Call } from "../../../define/call.ts";
import { passiveCheck } from "../../../define/check.ts";
import { breach, broken, type Finding, holds } from "../../../define/finding.ts";
import { sentMessage } from "../../../observations/sent-message.ts";
import { taskStream } from "../../../observations/task-stream.ts";
import { snakeCased } from "../../push/snake-cased.ts";

/** Operations that are answered with what both data models have, each in its own words. */
const spelled = ["SendMessage", "SendStreamingMessage", "SubscribeToTask", "GetTask", "CancelTask"];

/**
 * HTTP+JSON of 0.3 has two data models: the text can be read as asking for the objects of the JSON schema, the proto
 * makes them ProtoJSON, and nearly all servers follow that (docs/spec/dialects.md §2.3).
 */
export const spelling = passiveCheck({
  id: "V03-REST-001",
  title: "answers are ProtoJSON of a2a.v1",
  remedy: 'Write what the proto prints: {"task": {"status": {"state": "TASK_STATE_…"}}}, parts under content, no kind.',
  shownBy: [sentMessage, taskStream],
  judge(call) {
    if (call.on.binding !== "HTTP+JSON" || call.operation === undefined || !spelled.includes(call.operation))
      return undefined;
    const written = documentsIn(call);
    if (written.length === 0) return undefined;
    return written.map((json): Finding => {
      const details = { saw: brief(json), want: "the names and values of a2a.proto, in camelCase", at: call };
      const snake = snakeCased(json);
      if (snake !== undefined) return broken(`answers have members in snake_case, such as ${snake}`, details);
      return isOfTheSchema(json)
        ? breach("json-schema-spelling", "answers are written as the JSON schema has them, not as ProtoJSON", details)
        : holds();
    });
  },
});

function documentsIn({ said }: Call): JsonValue[] {
  if (said.is === "result") return [said.json];
  if (said.is !== "stream") return [];
  return said.events.flatMap((frame) => (frame.is === "result" ? [frame.json] : []));
}

/** What stands here belongs to users and agents; it is theirs to shape. */
const free = new Set(["metadata", "data"]);

/** Words that only the schema has. */
function isOfTheSchema(json: JsonValue): boolean {
  if (Array.isArray(json)) return json.some(isOfTheSchema);
  if (!isObject(json)) return false;
  return Object.entries(json).some(([name, value]) => {
    if (free.has(name)) return false;
    if (name === "kind") return typeof value === "string";
    if ((name === "state" || name === "role") && typeof value === "string") return /^[a-z]/.test(value);
    return isOfTheSchema(value as JsonValue);
  });
}
