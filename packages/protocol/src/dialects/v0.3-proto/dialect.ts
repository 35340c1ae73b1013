import { defined } from "../../defined.ts";
import { enums, messages } from "../../generated/fields-0.3-proto.ts";
import type { Messages as Shapes } from "../../generated/model-0.3-proto.ts";
import { isObject, type JsonObject } from "../../json.ts";
import { protoJsonReader } from "../../schemas/protojson.ts";
import { assemble, type EventCodec, type OperationCodecs } from "../assemble.ts";
import type { Codec } from "../codec.ts";
import type { Dialect, Reading } from "../dialect.ts";
import type { DialectExchange } from "../exchange.ts";
import { asIs, type Mend } from "../mending.ts";
import type { ReadingPlace } from "../place.ts";
import { v03 } from "../v0.3/dialect.ts";
import { errorsOf } from "../v0.3/error-words.ts";
import { positive, readHistoryLength } from "../v0.3/requests.ts";
import { readCard, writeCard } from "./card.ts";
import { readEvent, writeEvent } from "./event.ts";
import { pushConfigName, readPushConfigName, readTaskName, taskName } from "./names.ts";
import { mendCreate, readCreate, readTaskPushConfig, writeCreate, writeTaskPushConfig } from "./push-config.ts";
import { readSend, writeSend } from "./send.ts";
import { readTask, writeTask } from "./task.ts";

/**
 * The third spelling of 0.3 over HTTP. Its text can be read as "the JSON of JSON-RPC, without the envelope", and .NET
 * previews and JS 0.3.6 wrote it that way. A ProtoJSON reader silently drops the parts of such a message, so it must be
 * recognised first. Each function returns the payload as v0.3 reads it, or undefined if it is ProtoJSON.
 */
function schemaRequest(json: unknown): unknown {
  return isObject(json) && isSpelledBySchema(json["message"]) ? json : undefined;
}

/** Finds the bare object with its `kind`, which may be inside the ProtoJSON wrapper. */
function schemaAnswer(json: unknown): unknown {
  if (!isObject(json)) return undefined;
  const inner = json["task"] ?? json["message"];
  return [json, inner].find((candidate) => isObject(candidate) && typeof candidate["kind"] === "string");
}

/** Cards differ only in their security members. */
function schemaCard(json: unknown): unknown {
  if (!isObject(json)) return undefined;
  const schemes = Object.values(isObject(json["securitySchemes"]) ? json["securitySchemes"] : {});
  const security = Array.isArray(json["security"]) ? json["security"] : [];
  const flat = schemes.some((scheme) => isObject(scheme) && typeof scheme["type"] === "string");
  return flat || security.some((entry) => isObject(entry) && Object.values(entry).some(Array.isArray))
    ? json
    : undefined;
}

const isSpelledBySchema = (message: unknown): boolean =>
  isObject(message) && message["content"] === undefined && (message["kind"] ?? message["parts"]) !== undefined;

export const schemaSpelling = "is written as in JSON-RPC (kind, parts); HTTP+JSON of 0.3 is ProtoJSON of a2a.v1";

/**
 * 0.3 over gRPC and HTTP+JSON: ProtoJSON of the package `a2a.v1`, whose calls are the methods here. Members may be
 * camelCase or have their .proto names (`request`, `message_id`). Both are valid ProtoJSON, so neither is a finding.
 * The codecs work on JSON; gRPC converts its bytes with the generated classes.
 */
const normalise = protoJsonReader(messages, enums);

/** `M` is a message of a2a.v1; `read` and `write` translate it, `before` converts other known bodies to it. */
function codec<M extends keyof Shapes, Canonical>(
  definition: M,
  read: (shape: Shapes[M], place: ReadingPlace, exchange: DialectExchange) => Canonical,
  write: (value: Canonical) => Shapes[M],
  before: Mend = asIs,
): Codec<Canonical, Shapes[M]> {
  return {
    definition,
    mend: (json, place) => normalise(definition, before(json, place)),
    read: (shape, exchange, place) => read(shape, place, exchange),
    write: (value) => write(value) as unknown as JsonObject,
  };
}

const task = codec("Task", readTask, writeTask);
const card = codec("AgentCard", readCard, writeCard);
const send = codec("SendMessageRequest", readSend, writeSend);
const pushConfig = codec("TaskPushNotificationConfig", readTaskPushConfig, writeTaskPushConfig);

const rows: OperationCodecs = {
  SendMessage: {
    method: "SendMessage",
    request: send,
    answer: codec(
      "SendMessageResponse",
      (shape, _place, exchange) => readEvent(shape, exchange),
      (answer) => writeEvent(answer, false),
    ),
  },
  SendStreamingMessage: { method: "SendStreamingMessage", request: send },
  GetTask: {
    method: "GetTask",
    // 0 is protobuf's "not set", and in 0.3 it means unlimited: v0.3/requests.ts.
    request: codec(
      "GetTaskRequest",
      ({ name, historyLength }, place) =>
        defined({ id: readTaskName(name, place.at("name")), historyLength: readHistoryLength(historyLength) }),
      ({ id, historyLength }) => defined({ name: taskName(id), historyLength: positive(historyLength) }),
    ),
    answer: task,
  },
  CancelTask: {
    method: "CancelTask",
    // Lost on output: `metadata`.
    request: codec(
      "CancelTaskRequest",
      ({ name }, place) => ({ id: readTaskName(name, place.at("name")) }),
      ({ id }) => ({ name: taskName(id) }),
    ),
    answer: task,
  },
  SubscribeToTask: {
    method: "TaskSubscription",
    request: codec(
      "TaskSubscriptionRequest",
      ({ name }, place) => ({ id: readTaskName(name, place.at("name")) }),
      ({ id }) => ({ name: taskName(id) }),
    ),
  },
  CreateTaskPushNotificationConfig: {
    method: "CreateTaskPushNotificationConfig",
    request: codec("CreateTaskPushNotificationConfigRequest", readCreate, writeCreate, mendCreate),
    answer: pushConfig,
  },
  GetTaskPushNotificationConfig: {
    method: "GetTaskPushNotificationConfig",
    request: codec(
      "GetTaskPushNotificationConfigRequest",
      ({ name }, place) => readPushConfigName(name, place.at("name")),
      ({ taskId, id }) => ({ name: pushConfigName(taskId, id) }),
    ),
    answer: pushConfig,
  },
  ListTaskPushNotificationConfigs: {
    method: "ListTaskPushNotificationConfig",
    request: codec(
      "ListTaskPushNotificationConfigRequest",
      ({ parent, ...paging }, place) => ({ taskId: readTaskName(parent, place.at("parent")), ...paging }),
      ({ taskId, pageSize, pageToken }) => defined({ parent: taskName(taskId), pageSize, pageToken }),
    ),
    answer: codec(
      "ListTaskPushNotificationConfigResponse",
      ({ configs = [], nextPageToken }, place) =>
        defined({
          configs: configs.map((config, index) => readTaskPushConfig(config, place.at("configs").at(index))),
          nextPageToken,
        }),
      ({ configs = [], nextPageToken }) => defined({ configs: configs.map(writeTaskPushConfig), nextPageToken }),
      (json, place) => {
        if (!Array.isArray(json)) return json;
        place.note("is a bare array; a2a.v1 uses {configs}");
        return { configs: json };
      },
    ),
  },
  DeleteTaskPushNotificationConfig: {
    method: "DeleteTaskPushNotificationConfig",
    request: codec(
      "DeleteTaskPushNotificationConfigRequest",
      ({ name }, place) => readPushConfigName(name, place.at("name")),
      ({ taskId, id }) => ({ name: pushConfigName(taskId, id) }),
    ),
    // google.protobuf.Empty; over HTTP also an empty body.
    answer: { definition: null, mend: asIs, read: () => ({}), write: () => ({}) },
  },
  GetExtendedAgentCard: {
    method: "GetAgentCard",
    request: { definition: null, mend: asIs, read: () => ({}), write: () => ({}) },
    answer: card,
  },
};

const events: EventCodec = {
  definition: "StreamResponse",
  mend: (json) => normalise("StreamResponse", json),
  read: (event, exchange) => [readEvent(event as Shapes["StreamResponse"], exchange)],
  write: (event, _exchange, last) => [writeEvent(event, last) as unknown as JsonObject],
};

const proto = assemble({ version: "0.3", wire: "0.3-proto", rows, events, card, ...errorsOf("0.3") });

export const v03Proto: Dialect = {
  ...proto,
  readRequest: (operation, json, exchange) =>
    bySchema(schemaRequest(json), (body) => v03.readRequest(operation, body, exchange)) ??
    proto.readRequest(operation, json, exchange),
  readAnswer: (operation, json, exchange) =>
    bySchema(schemaAnswer(json), (body) => v03.readAnswer(operation, body, exchange)) ??
    proto.readAnswer(operation, json, exchange),
  readEvents: (json, exchange) =>
    bySchema(schemaAnswer(json), (body) => v03.readEvents(body, exchange)) ?? proto.readEvents(json, exchange),
  readCard: (json) => bySchema(schemaCard(json), (body) => v03.readCard(body)) ?? proto.readCard(json),
};

/** Reads a payload in the JSON-RPC spelling, with a note. */
function bySchema<T>(body: unknown, read: (body: unknown) => Reading<T>): Reading<T> | undefined {
  if (body === undefined) return undefined;
  const reading = read(body);
  return { ...reading, notes: [{ path: "$", message: schemaSpelling }, ...(reading.notes ?? [])] };
}
