import { isObject, type JsonValue } from "@assay/protocol";

/** Members of the protocol as protobuf spells them. Others in that spelling are the agent's own, and allowed. */
const known = new Set([
  "status_update",
  "artifact_update",
  "task_id",
  "context_id",
  "message_id",
  "artifact_id",
  "last_chunk",
  "media_type",
  "reference_task_ids",
]);

/** What stands here belongs to users and agents; it is theirs to shape. */
const free = new Set(["metadata", "data"]);

/** The first member of the protocol that is not written in camelCase. */
export function snakeCased(json: JsonValue): string | undefined {
  if (Array.isArray(json)) return first(json.map(snakeCased));
  if (!isObject(json)) return undefined;
  return first(
    Object.entries(json).map(([name, value]) =>
      known.has(name) ? name : free.has(name) ? undefined : snakeCased(value as JsonValue),
    ),
  );
}

const first = (names: readonly (string | undefined)[]): string | undefined => names.find((name) => name !== undefined);
