import {
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  fromJson,
  type JsonValue as ProtoJson,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import type { Dialect } from "../dialects/dialect.ts";
import { v03Proto } from "../dialects/v0.3-proto/dialect.ts";
import { v10 } from "../dialects/v1.0/dialect.ts";
import { messages } from "../generated/fields.ts";
import type { Messages } from "../generated/model.ts";
import { A2AService as ServiceV03 } from "../generated/proto/a2a/v1/a2a_pb.ts";
import { A2AService as ServiceV10 } from "../generated/proto/lf/a2a/v1/a2a_pb.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import { type Operation, operations } from "../operations.ts";
import type { Field } from "../schemas/field.ts";

/**
 * Restores required members that protobuf omitted because they hold their default. Protobuf sends the last page of a
 * list without `nextPageToken`, and an empty page without `tasks`. A required member without presence tracking
 * therefore counts as set.
 */
function restoreDefaults(message: keyof Messages, json: JsonObject): void {
  for (const field of messages[message]) {
    const value = json[field.json];
    if (value !== undefined) restoreWithin(field, value);
    else if (field.required) {
      const initial = initialOf(field);
      if (initial !== undefined) json[field.json] = initial;
    }
  }
}

function restoreWithin({ kind, repeated, map }: Field, value: JsonValue): void {
  if (!(kind in messages)) return;
  const entries = repeated ? (value as JsonValue[]) : map ? Object.values(value as JsonObject) : [value];
  for (const entry of entries) if (isObject(entry)) restoreDefaults(kind as keyof Messages, entry as JsonObject);
}

/**
 * Message and timestamp fields track presence, and an enum's zero value means "unspecified", so none of them gets a
 * default.
 */
function initialOf({ kind, repeated, map, optional, oneof }: Field): JsonValue | undefined {
  if (repeated) return [];
  if (map) return {};
  return optional || oneof !== undefined ? undefined : initials[kind];
}

const initials: Readonly<Record<string, JsonValue>> = { string: "", bytes: "", bool: false, int32: 0 };

/** Bytes that cannot be decoded as the expected message type. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}

/**
 * The gRPC service of one protocol version: its methods, and the conversion of its messages between bytes and
 * ProtoJSON. Protobuf cannot distinguish a missing member from its default, so that difference is lost.
 */
export interface GrpcService {
  readonly dialect: Dialect;
  /** for example `lf.a2a.v1.A2AService` */
  readonly name: string;
  path(operation: Operation): string | undefined;
  /** the operation for a request path, if it belongs to this service */
  operationAt(path: string): Operation | undefined;
  readRequest(operation: Operation, bytes: Uint8Array): JsonValue;
  writeRequest(operation: Operation, request: JsonValue): Uint8Array;
  /** the response of an operation, or one event of its stream */
  readAnswer(operation: Operation, bytes: Uint8Array): JsonValue;
  writeAnswer(operation: Operation, answer: JsonValue): Uint8Array;
}

/** `mend` restores members that protobuf dropped from a decoded message. */
function serviceOf(
  description: DescService,
  dialect: Dialect,
  mend: (operation: Operation, side: "request" | "answer", json: JsonObject) => void = () => {},
): GrpcService {
  const name = description.typeName;
  const methods = new Map(description.methods.map((method) => [method.name, method]));
  const methodFor = (operation: Operation): DescMethod => {
    const method = methods.get(dialect.methodOf(operation) ?? "");
    if (!method) throw new ProtobufError(`${name} has no ${operation}`);
    return method;
  };
  return {
    dialect,
    name,
    path: (operation) => {
      const method = dialect.methodOf(operation);
      return method === undefined ? undefined : `/${name}/${method}`;
    },
    operationAt(path) {
      const method = path.startsWith(`/${name}/`) ? path.slice(name.length + 2) : "";
      return methods.has(method) ? dialect.operationOf(method) : undefined;
    },
    readRequest(operation, bytes) {
      const json = read(methodFor(operation).input, bytes);
      mend(operation, "request", json);
      return json;
    },
    writeRequest: (operation, request) => write(methodFor(operation).input, request),
    readAnswer(operation, bytes) {
      const json = read(methodFor(operation).output, bytes);
      mend(operation, "answer", json);
      return json;
    },
    writeAnswer: (operation, answer) => write(methodFor(operation).output, answer),
  };
}

function read(schema: DescMessage, bytes: Uint8Array): JsonObject {
  try {
    // No operation uses a message that ProtoJSON encodes as something other than an object.
    return toJson(schema, fromBinary(schema, bytes)) as JsonObject;
  } catch (cause) {
    throw new ProtobufError(`not a ${schema.typeName}`, { cause });
  }
}

function write(schema: DescMessage, json: JsonValue): Uint8Array {
  if (schema.typeName === EmptySchema.typeName) return new Uint8Array();
  return toBinary(schema, fromJson(schema, json as ProtoJson, { ignoreUnknownFields: true }));
}

export const grpcV10 = serviceOf(ServiceV10, v10, (operation, side, json) => {
  const message = operations[operation][side];
  if (message) restoreDefaults(message, json);
});
export const grpcV03 = serviceOf(ServiceV03, v03Proto);
