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
import { A2AService as ServiceV03 } from "../generated/proto/a2a/v1/a2a_pb.ts";
import { A2AService as ServiceV10 } from "../generated/proto/lf/a2a/v1/a2a_pb.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { type Operation, operations } from "../operations.ts";
import { restoreDefaults } from "./protobuf-defaults.ts";

/** Bytes that are no message of the expected type. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}

/**
 * The gRPC service of one protocol version: its calls, and its messages between bytes and ProtoJSON. What
 * protobuf cannot carry, absence of a member against its default, is lost on the way.
 */
export interface GrpcService {
  readonly dialect: Dialect;
  /** as in `lf.a2a.v1.A2AService` */
  readonly name: string;
  path(operation: Operation): string | undefined;
  /** the operation behind a request path, if it is one of this service */
  operationAt(path: string): Operation | undefined;
  readRequest(operation: Operation, bytes: Uint8Array): JsonValue;
  writeRequest(operation: Operation, request: JsonValue): Uint8Array;
  /** the answer of an operation, or one event of its stream */
  readAnswer(operation: Operation, bytes: Uint8Array): JsonValue;
  writeAnswer(operation: Operation, answer: JsonValue): Uint8Array;
}

/** `mend` puts back what protobuf dropped from a message that was read. */
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
    // No operation asks or answers with one of the messages that ProtoJSON writes as something else.
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
