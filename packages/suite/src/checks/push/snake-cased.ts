import { isObject, type JsonValue } from "@assay/protocol";

/**
 * Members of the protocol in protobuf spelling. Other members in that spelling belong to the agent, and are allowed.
 */
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

/** Members whose content belongs to users and agents. */
const free = new Set(["metadata", "data"]);

/** Returns the first protocol member that is not in camelCase. */
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
