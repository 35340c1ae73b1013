import { randomUUID } from "node:crypto";
import { isObject, type JsonObject, type JsonValue, type Operation } from "@assay/protocol";
import type { AbstractOperation } from "../model.ts";
import type { QuirkRule } from "../quirks/rules.ts";

/** The protocol operation of each abstract one; the card is read by plain HTTP. */
export const operationOf: Readonly<Record<AbstractOperation, Operation | "card">> = {
  send_message: "SendMessage",
  send_streaming_message: "SendStreamingMessage",
  get_task: "GetTask",
  list_tasks: "ListTasks",
  cancel_task: "CancelTask",
  subscribe_to_task: "SubscribeToTask",
  get_agent_card: "card",
  get_extended_agent_card: "GetExtendedAgentCard",
  create_push_config: "CreateTaskPushNotificationConfig",
  get_push_config: "GetTaskPushNotificationConfig",
  list_push_configs: "ListTaskPushNotificationConfigs",
  delete_push_config: "DeleteTaskPushNotificationConfig",
};

/** Converts the parameters of an abstract operation to the protocol. */
export function requestOf(
  operation: AbstractOperation,
  params: JsonObject,
  apply: (rule: QuirkRule) => void,
): JsonObject {
  switch (operation) {
    case "send_message":
    case "send_streaming_message":
      return sendRequest(params, apply);
    case "list_tasks": {
      const { cursor, ...rest } = params;
      return cursor === undefined ? params : { ...rest, pageToken: cursor };
    }
    case "create_push_config": {
      const { pushNotificationConfig, ...rest } = params;
      return isObject(pushNotificationConfig) ? { ...rest, ...(pushNotificationConfig as JsonObject) } : params;
    }
    case "get_push_config":
    case "delete_push_config": {
      const { configId, ...rest } = params;
      return configId === undefined ? params : { ...rest, id: configId };
    }
    default:
      return params;
  }
}

function sendRequest(
  { taskId, contextId, message, ...rest }: JsonObject,
  apply: (rule: QuirkRule) => void,
): JsonObject {
  if (!isObject(message)) return { ...rest, ...defined({ taskId, contextId, message }) };
  if (taskId !== undefined || contextId !== undefined) apply("ids-beside-the-message");
  const { parts, ...said } = message as JsonObject;
  return {
    ...rest,
    message: {
      messageId: randomUUID(),
      ...defined({ taskId, contextId }),
      ...said,
      ...(parts !== undefined && { parts: Array.isArray(parts) ? parts.map((each) => partOf(each, apply)) : parts }),
    },
  };
}

/** Converts a part to the protocol: files have no separate member, and a media type is not metadata. */
function partOf(part: JsonValue, apply: (rule: QuirkRule) => void): JsonValue {
  if (!isObject(part)) return part;
  const { file, ...rest } = part as JsonObject;
  let own: JsonObject = rest;
  if (isObject(file)) {
    apply("file-parts");
    const { raw, url, name, mediaType } = file as JsonObject;
    own = { ...rest, ...defined({ raw, url, filename: name, mediaType }) };
  }
  const { metadata } = own;
  const contentType = isObject(metadata) ? metadata["contentType"] : undefined;
  if (typeof contentType !== "string" || own["mediaType"] !== undefined) return own;
  apply("content-type-in-metadata");
  return { ...own, mediaType: contentType };
}

const defined = (members: Record<string, JsonValue | undefined>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
