import {
  create,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue as ProtoJson,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { type Any, anyPack, anyUnpack } from "@bufbuild/protobuf/wkt";
import {
  type A2AError,
  badRequestType,
  type ErrorColumn,
  errorDetails,
  errorInfoType,
  grpcStatuses,
  retryInfoType,
} from "../errors.ts";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
  StatusSchema,
} from "../generated/proto/google/rpc/status_pb.ts";
import type { JsonObject } from "../json.ts";

/** Encodes an error as `google.rpc.Status`, for the trailer `grpc-status-details-bin` (§10.6). */
export function writeStatusDetails(error: A2AError, column?: ErrorColumn): Uint8Array {
  const details = errorDetails(error).flatMap((detail) => packed(detail) ?? []);
  const code = grpcStatuses[error.numbers(column).grpc];
  return toBinary(StatusSchema, create(StatusSchema, { code, message: error.message, details }));
}

const detailSchemas: Record<string, DescMessage> = {
  [errorInfoType]: ErrorInfoSchema,
  [badRequestType]: BadRequestSchema,
  [retryInfoType]: RetryInfoSchema,
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

/** Reads the trailer. Details of unknown types keep their type and lose their content. */
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
