import {
  create,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue as ProtoJson,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { type Any, anyPack, anyUnpack, EmptySchema } from "@bufbuild/protobuf/wkt";
import { type A2AError, badRequestType, errorDetails, errorInfoType } from "../errors.ts";
import { BadRequestSchema, ErrorInfoSchema, StatusSchema } from "../generated/proto/google/rpc/status_pb.ts";
import { A2AService } from "../generated/proto/lf/a2a/v1/a2a_pb.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Operation } from "../operations.ts";

/**
 * gRPC (§10): each operation is a call of one service. Messages are protobuf on the wire and canonical JSON
 * in our hands. What protobuf cannot carry, absence of a member against its default, is lost on the way.
 */
export const grpcService = A2AService.typeName;

const calls = new Map(A2AService.methods.map((method) => [method.name as Operation, method]));

export const grpcPath = (operation: Operation): string => `/${grpcService}/${operation}`;

/** The operation behind a request path, if it is one of ours. */
export function grpcOperation(path: string): Operation | undefined {
  if (!path.startsWith(`/${grpcService}/`)) return undefined;
  const name = path.slice(grpcService.length + 2) as Operation;
  return calls.has(name) ? name : undefined;
}

/** Bytes that are no message of the expected type. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}

function read(schema: DescMessage, bytes: Uint8Array): JsonValue {
  try {
    return toJson(schema, fromBinary(schema, bytes)) as JsonValue;
  } catch (cause) {
    throw new ProtobufError(`not a ${schema.typeName}`, { cause });
  }
}

const write = (schema: DescMessage, json: JsonValue): Uint8Array =>
  toBinary(schema, fromJson(schema, json as ProtoJson, { ignoreUnknownFields: true }));

export const readGrpcRequest = (operation: Operation, bytes: Uint8Array): JsonValue =>
  read(calls.get(operation)!.input, bytes);

export const writeGrpcRequest = (operation: Operation, request: JsonValue): Uint8Array =>
  write(calls.get(operation)!.input, request);

/** The answer of an operation, or one event of its stream. */
export const readGrpcAnswer = (operation: Operation, bytes: Uint8Array): JsonValue =>
  read(calls.get(operation)!.output, bytes);

export function writeGrpcAnswer(operation: Operation, answer: JsonValue): Uint8Array {
  const { output } = calls.get(operation)!;
  return output.typeName === EmptySchema.typeName ? new Uint8Array() : write(output, answer);
}

/** An error as `google.rpc.Status`, for the trailer `grpc-status-details-bin` (§10.6). */
export function writeStatusDetails(error: A2AError): Uint8Array {
  const details = errorDetails(error).flatMap((detail) => packed(detail) ?? []);
  const code = error.numbers().grpcCode;
  return toBinary(StatusSchema, create(StatusSchema, { code, message: error.message, details }));
}

const detailSchemas: Record<string, DescMessage> = {
  [errorInfoType]: ErrorInfoSchema,
  [badRequestType]: BadRequestSchema,
};

function packed({ "@type": type, ...detail }: JsonObject): Any | undefined {
  const schema = detailSchemas[String(type)];
  return schema && anyPack(schema, fromJson(schema, detail as ProtoJson));
}

export interface StatusDetails {
  readonly code: number;
  readonly message: string;
  readonly details: JsonObject[];
}

/** Reads the trailer; details of types we do not know keep their type and lose their content. */
export function readStatusDetails(bytes: Uint8Array): StatusDetails | undefined {
  try {
    const { code, message, details } = fromBinary(StatusSchema, bytes);
    return { code, message, details: details.map(unpacked) };
  } catch {
    return undefined;
  }
}

function unpacked(any: Any): JsonObject {
  const schema = detailSchemas[any.typeUrl];
  const message = schema && anyUnpack(any, schema);
  return { "@type": any.typeUrl, ...(message ? (toJson(schema, message) as JsonObject) : {}) };
}
