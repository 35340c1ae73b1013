import { readFileSync } from "node:fs";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Operation } from "../operations.ts";
import { type OlderWire, validateDialect } from "./check.ts";

type Definitions = Partial<Record<Operation, { request: string; answer: string }>>;

const tagged: Definitions = {
  SendMessage: { request: "MessageSendParams", answer: "SendMessageResult" },
  SendStreamingMessage: { request: "MessageSendParams", answer: "StreamResult" },
  GetTask: { request: "TaskQueryParams", answer: "Task" },
  CancelTask: { request: "TaskIdParams", answer: "Task" },
  SubscribeToTask: { request: "TaskIdParams", answer: "StreamResult" },
  CreateTaskPushNotificationConfig: {
    request: "TaskPushNotificationConfig",
    answer: "TaskPushNotificationConfig",
  },
  GetTaskPushNotificationConfig: {
    request: "GetTaskPushNotificationConfigParams",
    answer: "TaskPushNotificationConfig",
  },
  ListTaskPushNotificationConfigs: { request: "TaskIdParams", answer: "TaskPushNotificationConfigs" },
  GetExtendedAgentCard: { request: "GetAuthenticatedExtendedCardRequest", answer: "AgentCard" },
};

const v01: Definitions = {
  SendMessage: { request: "TaskSendParams", answer: "Task" },
  SendStreamingMessage: { request: "TaskSendParams", answer: "StreamResult" },
  GetTask: { request: "TaskQueryParams", answer: "Task" },
  CancelTask: { request: "TaskIdParams", answer: "Task" },
  SubscribeToTask: { request: "TaskQueryParams", answer: "StreamResult" },
  CreateTaskPushNotificationConfig: { request: "TaskPushNotificationConfig", answer: "TaskPushNotificationConfig" },
  GetTaskPushNotificationConfig: { request: "TaskIdParams", answer: "TaskPushNotificationConfig" },
};

const proto: Definitions = {
  SendMessage: { request: "SendMessageRequest", answer: "SendMessageResponse" },
  SendStreamingMessage: { request: "SendMessageRequest", answer: "StreamResponse" },
  GetTask: { request: "GetTaskRequest", answer: "Task" },
  CancelTask: { request: "CancelTaskRequest", answer: "Task" },
  SubscribeToTask: { request: "TaskSubscriptionRequest", answer: "StreamResponse" },
  CreateTaskPushNotificationConfig: {
    request: "CreateTaskPushNotificationConfigRequest",
    answer: "TaskPushNotificationConfig",
  },
  GetTaskPushNotificationConfig: {
    request: "GetTaskPushNotificationConfigRequest",
    answer: "TaskPushNotificationConfig",
  },
  ListTaskPushNotificationConfigs: {
    request: "ListTaskPushNotificationConfigRequest",
    answer: "ListTaskPushNotificationConfigResponse",
  },
  GetExtendedAgentCard: { request: "GetAgentCardRequest", answer: "AgentCard" },
};

/** Returns the name of the schema definition for a payload; undefined if the schema has none. */
export function definitionOf(wire: OlderWire, operation: Operation, is: "request" | "answer"): string | undefined {
  const table = wire === "0.1" ? v01 : wire === "0.3-proto" ? proto : tagged;
  if (operation === "GetExtendedAgentCard" && is === "request") return undefined;
  return table[operation]?.[is];
}

const schemas = Object.fromEntries(
  ["a2a-0.1", "a2a-0.2", "a2a-0.3"].map((id) => {
    const file = new URL(`../../schemas/${id}.json`, import.meta.url);
    return [id, (JSON.parse(readFileSync(file, "utf8")) as { $defs: Record<string, JsonObject> }).$defs];
  }),
);

/**
 * Returns the violations of a payload that we wrote, and its unknown members. The schemas allow unknown members, as
 * the official ones do, but our own writers must not produce any.
 */
export function objections(wire: OlderWire, definition: string, json: JsonValue): string[] {
  const violations = validateDialect(wire, definition, json).map(({ path, message }) => `${path} ${message}`);
  if (wire === "0.3-proto") return violations;
  const home = wire === "0.1" ? "a2a-0.1" : "a2a-0.3";
  // Every member of 0.2 exists in 0.3, so the definitions of 0.3 apply to both.
  return [...violations, ...strangers(`${home}#/$defs/${definition}`, json, "$")];
}

function strangers(ref: string, json: JsonValue, path: string): string[] {
  const [document, name] = ref.split("#/$defs/") as [string, string];
  return inside(schemas[document]![name]!, document, json, path);
}

function inside(schema: JsonObject, document: string, json: JsonValue, path: string): string[] {
  if (typeof schema["$ref"] === "string") {
    return strangers(schema["$ref"].startsWith("#") ? document + schema["$ref"] : schema["$ref"], json, path);
  }
  if (Array.isArray(json)) {
    return json.flatMap((item, index) => inside(schema["items"] as JsonObject, document, item, `${path}[${index}]`));
  }
  if (!isObject(json)) return [];
  const object = json as JsonObject;
  if (schema["discriminator"]) {
    const tag = (schema["discriminator"] as JsonObject)["propertyName"] as string;
    const branch = (schema["oneOf"] as JsonObject[]).find((choice) => tagOf(choice, document, tag) === object[tag])!;
    return inside(branch, document, json, path);
  }
  if (schema["if"]) return inside(schema["artifact" in object ? "then" : "else"] as JsonObject, document, json, path);
  const members = (schema["properties"] ?? {}) as Record<string, JsonObject>;
  const rest = schema["additionalProperties"] as JsonObject | undefined;
  // An object without defined members is free data of the user.
  if (!schema["properties"] && !rest) return [];
  return Object.entries(object).flatMap(([name, value]) => {
    const member = Object.hasOwn(members, name) ? members[name] : rest;
    return member ? inside(member, document, value, `${path}.${name}`) : [`${path}.${name} unknown member`];
  });
}

function tagOf(choice: JsonObject, document: string, tag: string): JsonValue | undefined {
  const [home, name] = (choice["$ref"] as string).split("#/$defs/") as [string, string];
  const properties = schemas[home || document]![name]!["properties"] as Record<string, JsonObject>;
  return properties[tag]!["const"];
}
