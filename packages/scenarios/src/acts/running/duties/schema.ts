import { isObject, type JsonValue, type Violation, validate } from "@assay/protocol";

/** What breaks the schema of 1.0. Clients ignore members they do not know, so having some is no accusation. */
export const violationsOf = (
  message: "AgentCard" | "SendMessageResponse" | "StreamResponse",
  json: JsonValue,
): Violation[] => validate(message, withoutNulls(json)).filter((violation) => violation.code !== "unknown-member");

/** ProtoJSON takes null for absence. */
function withoutNulls(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(withoutNulls);
  if (!isObject(json)) return json;
  const members = (Object.entries(json) as [string, JsonValue][]).filter(([, value]) => value !== null);
  return Object.fromEntries(members.map(([name, value]) => [name, withoutNulls(value)]));
}
