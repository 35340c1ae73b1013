import type { JsonValue } from "../json.ts";
import type { Operation } from "../operations.ts";
import { type GrpcService, grpcV03, grpcV10, ProtobufError } from "./grpc-service.ts";

/** A gRPC method, found by its request path. */
export interface GrpcMethod {
  readonly service: GrpcService;
  readonly operation: Operation;
}

export function grpcMethodAt(url: string): GrpcMethod | undefined {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, "");
  for (const service of [grpcV10, grpcV03]) {
    const operation = service.operationAt(path);
    if (operation) return { service, operation };
  }
  return undefined;
}

/**
 * Decodes the messages of a body to JSON. Returns undefined if the body is compressed, truncated, or for another
 * service.
 */
export function grpcMessagesIn(bytes: Uint8Array, url: string, side: "request" | "answer"): JsonValue[] | undefined {
  const method = grpcMethodAt(url);
  const framed = method && unframed(bytes);
  if (!framed) return undefined;
  const { service, operation } = method;
  try {
    return framed.map((message) =>
      side === "request" ? service.readRequest(operation, message) : service.readAnswer(operation, message),
    );
  } catch (error) {
    if (error instanceof ProtobufError) return undefined;
    throw error;
  }
}

const headLength = 5;

/** Splits a body into messages, without the flag and length that precede each one. */
export function unframed(bytes: Uint8Array): Uint8Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const messages: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + headLength > bytes.length || bytes[at] !== 0) return undefined;
    const end = at + headLength + view.getUint32(at + 1);
    if (end > bytes.length) return undefined;
    messages.push(bytes.subarray(at + headLength, end));
    at = end;
  }
  return messages;
}

/** Prefixes one message with its flag and length, as it appears in a body. */
export function framed(message: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(headLength + message.length);
  new DataView(bytes.buffer).setUint32(1, message.length);
  bytes.set(message, headLength);
  return bytes;
}
