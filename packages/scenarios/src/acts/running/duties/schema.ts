import { isObject, type JsonValue, type Violation, validate } from "@assay/protocol";

/** Returns violations of the 1.0 schema. Clients ignore unknown members, so those are allowed. */
export const violationsOf = (
  message: "AgentCard" | "SendMessageResponse" | "StreamResponse",
  json: JsonValue,
): Violation[] => validate(message, withoutNulls(json)).filter((violation) => violation.code !== "unknown-member");

/** ProtoJSON treats null as absent. */
function withoutNulls(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(withoutNulls);
  if (!isObject(json)) return json;
  const members = (Object.entries(json) as [string, JsonValue][]).filter(([, value]) => value !== null);
  return Object.fromEntries(members.map(([name, value]) => [name, withoutNulls(value)]));
}
