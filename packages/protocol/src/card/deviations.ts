import { messages } from "../generated/fields.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { MessageName } from "../schemas/tables.ts";
import { type CardFinding, finding } from "./finding.ts";
import { fieldOf, isMessage } from "./messages.ts";

/** Corrects known mistakes in a 1.0 card and reports each correction. */
export function readDeviations(card: JsonObject): { card: JsonObject; findings: CardFinding[] } {
  const findings: CardFinding[] = [];
  const unwrapped = unwrapCases("AgentCard", card, "$", findings) as JsonObject;
  const read = readSecurity(unwrapped, "$", findings);
  const { skills } = read;
  if (Array.isArray(skills)) {
    read["skills"] = skills.map((skill, index) =>
      isObject(skill) ? readSecurity(skill as JsonObject, `$.skills[${index}]`, findings) : skill,
    );
  }
  return { card: read, findings };
}

/**
 * Unwraps oneofs that the JS SDK (seen in 1.3.0) dumps from memory instead of encoding them: `{"scheme": {"$case":
 * "apiKeySecurityScheme", "value": {…}}}`. Only oneofs of the .proto can look like that.
 */
function unwrapCases(message: MessageName, json: JsonValue, path: string, findings: CardFinding[]): JsonValue {
  if (!isObject(json)) return json;
  const result: JsonObject = { ...(json as JsonObject) };
  for (const oneof of new Set(messages[message].flatMap((field) => field.oneof ?? []))) {
    const choice = result[oneof];
    const member = isObject(choice) ? choice["$case"] : undefined;
    if (typeof member !== "string" || fieldOf(message, member)?.oneof !== oneof) continue;
    delete result[oneof];
    result[member] = (choice as JsonObject)["value"] ?? {};
    findings.push(
      finding("error", "oneof-in-memory", `${path}.${oneof}`, {
        message: `is an in-memory dump, {"$case": "${member}", "value": …}; ProtoJSON writes {"${member}": …}`,
        fix: "Serve the card through the SDK's ProtoJSON encoder (in JS: AgentCard.toJSON) instead of JSON.stringify.",
        rule: "CARD-026",
      }),
    );
  }
  for (const { json: name, kind, map, repeated } of messages[message]) {
    const value = result[name];
    if (!isMessage(kind) || value === undefined) continue;
    if (repeated && Array.isArray(value)) {
      result[name] = value.map((entry, index) => unwrapCases(kind, entry, `${path}.${name}[${index}]`, findings));
    } else if (map && isObject(value)) {
      const entries = Object.entries(value as JsonObject);
      result[name] = Object.fromEntries(
        entries.map(([key, entry]) => [key, unwrapCases(kind, entry, `${path}.${name}.${key}`, findings)]),
      );
    } else result[name] = unwrapCases(kind, value, `${path}.${name}`, findings);
  }
  return result;
}

/** 0.3, and the text of 1.0 itself, call `securityRequirements` `security`. If both are present, the new name wins. */
function readSecurity(holder: JsonObject, path: string, findings: CardFinding[]): JsonObject {
  const { security, ...rest } = holder;
  const { securityRequirements } = rest;
  if (Array.isArray(securityRequirements)) {
    if (securityRequirements.every((entry) => !isOpenApi(entry))) return { ...holder };
    findings.push(
      finding("error", "openapi-requirements", `${path}.securityRequirements`, {
        message: "is written as in OpenAPI, [{name: [scopes]}]; 1.0 requires [{schemes: {name: {list: [scopes]}}}]",
        fix: 'Wrap each requirement: {"schemes": {"<name>": {"list": [...]}}}.',
        rule: path === "$" ? "CARD-036" : "CARD-038",
      }),
    );
    return { ...holder, securityRequirements: securityRequirements.map(toRequirement) };
  }
  if (!Array.isArray(security) || securityRequirements !== undefined) return { ...holder };
  findings.push(
    finding("warning", "older-requirements", `${path}.security`, {
      message: "is used instead of `securityRequirements`, which generated 1.0 readers expect",
      fix: 'Publish `securityRequirements`: [{"schemes": {"<name>": {"list": [...]}}}].',
      rule: path === "$" ? "CARD-036" : "CARD-038",
    }),
  );
  return { ...rest, securityRequirements: security.map(toRequirement) };
}

/** Detects the OpenAPI form, the only one where a member's value is a list of scopes. */
const isOpenApi = (entry: JsonValue): boolean =>
  isObject(entry) && !isObject(entry["schemes"]) && Object.values(entry).some((value) => Array.isArray(value));

/** Converts either form to a 1.0 requirement. The 0.3 proto form already has `schemes`. */
function toRequirement(entry: JsonValue): JsonValue {
  if (!isObject(entry) || isObject(entry["schemes"])) return entry;
  const schemes = Object.entries(entry as JsonObject).map(([name, scopes]): [string, JsonValue] => [
    name,
    { list: Array.isArray(scopes) ? scopes : [] },
  ]);
  return { schemes: Object.fromEntries(schemes) };
}
