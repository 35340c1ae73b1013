import { isObject, type JsonObject, type JsonValue, writtenText } from "../json.ts";
import type { Operation } from "../operations.ts";
import type { OlderWire } from "./check.ts";
import { readRole, readState } from "./states.ts";

/**
 * Converts an older document to 1.0 member by member, without validation. It is for readers that must not fail on a
 * mistake that others report. Members without a 1.0 counterpart, or of the wrong type, stay unchanged.
 */
export function transliterate(wire: OlderWire, operation: Operation, json: JsonValue): JsonValue {
  // A list of push configurations was a bare array, and still is in the text of 0.3 for HTTP+JSON.
  if (Array.isArray(json) && operation === "ListTaskPushNotificationConfigs")
    return { configs: each(json, pushConfig) };
  if (!isObject(json)) return json;
  const document = json as JsonObject;
  switch (operation) {
    case "SendMessage":
    case "SendStreamingMessage":
    case "SubscribeToTask":
      return event(wire, document, operation === "SendMessage");
    case "GetTask":
    case "CancelTask":
      return content(wire, document);
    case "CreateTaskPushNotificationConfig":
    case "GetTaskPushNotificationConfig":
      return pushConfig(document);
    case "ListTaskPushNotificationConfigs":
      return { ...document, ...(document["configs"] && { configs: each(document["configs"], pushConfig) }) };
    default:
      return json;
  }
}

function event(wire: OlderWire, json: JsonObject, answersSend: boolean): JsonObject {
  const wrapped = ["task", "message", "statusUpdate", "artifactUpdate"].find((member) => isObject(json[member]));
  if (wire === "0.3-proto" && wrapped) return { [wrapped]: content(wire, json[wrapped] as JsonObject) };
  const written = content(wire, json);
  switch (kindOf(json, answersSend)) {
    case "task":
      return { task: written };
    case "message":
      return { message: written };
    case "status-update":
      return { statusUpdate: ofTask(wire, written) };
    case "artifact-update":
      return { artifactUpdate: ofTask(wire, written) };
    default:
      return json;
  }
}

/** Determines the kind by `kind`, otherwise by its members. */
function kindOf(json: JsonObject, answersSend: boolean): string | undefined {
  const { kind } = json;
  if (typeof kind === "string") return kind;
  if (isObject(json["artifact"]) || Array.isArray(json["artifact"])) return "artifact-update";
  if (isObject(json["status"])) return answersSend || Array.isArray(json["history"]) ? "task" : "status-update";
  return Array.isArray(json["parts"]) ? "message" : undefined;
}

/** An event of 0.1 calls its task `id`, and its artifact holds members that later moved to the event. */
function ofTask(wire: OlderWire, { id, ...json }: JsonObject): JsonObject {
  if (wire !== "0.1") return { ...(id !== undefined && { id }), ...json };
  const artifact = isObject(json["artifact"]) ? (json["artifact"] as JsonObject) : undefined;
  if (!artifact) return { ...(id !== undefined && { taskId: id }), ...json };
  const { append, lastChunk, ...rest } = artifact;
  return {
    ...(id !== undefined && { taskId: id }),
    ...json,
    artifact: rest,
    ...(append !== undefined && { append }),
    ...(lastChunk !== undefined && { lastChunk }),
  };
}

/** Converts tasks, messages, statuses and artifacts at any depth. */
function content(wire: OlderWire, json: JsonObject): JsonObject {
  const { kind: _, ...members } = json;
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]): [string, JsonValue][] => {
      switch (name) {
        case "sessionId":
          return wire === "0.1" ? [["contextId", value]] : [[name, value]];
        case "content":
          return wire === "0.3-proto" ? [["parts", each(value, part)]] : [[name, value]];
        case "parts":
          return [[name, each(value, part)]];
        case "role":
          return [[name, role(value)]];
        case "state":
          return [[name, state(value)]];
        case "index":
          return wire === "0.1" ? [["artifactId", `v01-artifact-${writtenText(value)}`]] : [[name, value]];
        case "status":
        case "message":
        case "update":
        case "artifact":
          return [[name, isObject(value) ? content(wire, value as JsonObject) : value]];
        case "artifacts":
        case "history":
          return [[name, each(value, (item) => content(wire, item))]];
        default:
          return [[name, value]];
      }
    }),
  );
}

const each = (value: JsonValue, change: (item: JsonObject) => JsonObject): JsonValue =>
  Array.isArray(value) ? value.map((item) => (isObject(item) ? change(item as JsonObject) : item)) : value;

function part({ kind, type, ...rest }: JsonObject): JsonObject {
  const word = kind ?? type;
  const file = isObject(rest["file"]) ? (rest["file"] as JsonObject) : undefined;
  if (file) {
    const { file: _, ...others } = rest;
    const raw = file["bytes"] ?? file["fileWithBytes"] ?? file["data"];
    const url = file["uri"] ?? file["fileWithUri"];
    return {
      ...others,
      ...(raw !== undefined && { raw }),
      ...(url !== undefined && { url }),
      ...(file["name"] !== undefined && { filename: file["name"] }),
      ...(file["mimeType"] !== undefined && { mediaType: file["mimeType"] }),
    };
  }
  // The protobuf form of 0.3 wraps data in its own message.
  const inner = isObject(rest["data"]) && word === undefined ? (rest["data"] as JsonObject)["data"] : undefined;
  return inner === undefined ? rest : { ...rest, data: inner };
}

const role = (value: JsonValue): JsonValue => (value === "user" || value === "agent" ? readRole(value) : value);

/** A word that 0.2 does not define stays unchanged, and no 1.0 rule treats it as a state. */
function state(value: JsonValue): JsonValue {
  if (value === "TASK_STATE_CANCELLED") return "TASK_STATE_CANCELED";
  return (typeof value === "string" && readState(value as Parameters<typeof readState>[0])) || value;
}

function pushConfig(json: JsonObject): JsonObject {
  const inner = isObject(json["pushNotificationConfig"]) ? (json["pushNotificationConfig"] as JsonObject) : undefined;
  if (!inner) return json;
  const { authentication, ...config } = inner;
  const name = typeof json["name"] === "string" ? json["name"].split("/") : [];
  const taskId = json["taskId"] ?? json["id"] ?? name[1];
  const id = config["id"] ?? name[3] ?? taskId;
  const schemes = isObject(authentication) ? authentication["schemes"] : undefined;
  const login = isObject(authentication)
    ? { ...(authentication as JsonObject), ...(Array.isArray(schemes) && { scheme: schemes[0] as JsonValue }) }
    : undefined;
  return {
    ...config,
    ...(id !== undefined && { id }),
    ...(taskId !== undefined && { taskId }),
    ...(login && { authentication: login }),
  };
}
