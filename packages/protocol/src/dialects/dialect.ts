import type { RpcFailure } from "../bindings/jsonrpc.ts";
import type { A2AError } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { AgentCard, StreamResponse } from "../model.ts";
import type { AnswerOf, Operation, RequestOf } from "../operations.ts";
import type { ReadResult } from "../schemas/validate.ts";
import type { DialectVersion } from "../versions.ts";
import type { DialectExchange } from "./exchange.ts";
import type { ReadingNote } from "./place.ts";
import type { Wire } from "./releases.ts";

/** A value or its violations, and notes on tolerated deviations. Without notes the member is missing. */
export type Reading<T> = ReadResult<T> & { readonly notes?: readonly ReadingNote[] };

/**
 * One protocol version as written on the wire, translated to and from the canonical 1.0 model. Reading is tolerant
 * where docs/spec/dialects.md says so; writing is strict. The header of each codec lists what the dialect cannot
 * express, and losses.fixture.ts asserts it. A dialect is independent of HTTP: bindings handle envelopes and paths.
 *
 * Without an exchange, each call is independent. That is enough for every dialect except 0.1.
 */
export interface Dialect {
  readonly version: DialectVersion;
  readonly wire: Wire;
  /** the operation for a JSON-RPC method (for a gRPC call, in the protobuf dialects) */
  operationOf(method: string): Operation | undefined;
  /** undefined: the dialect lacks this operation, and the functions below throw UnsupportedOperation */
  methodOf(operation: Operation): string | undefined;
  readRequest<O extends Operation>(operation: O, json: unknown, exchange?: DialectExchange): Reading<RequestOf<O>>;
  writeRequest<O extends Operation>(operation: O, request: RequestOf<O>, exchange?: DialectExchange): JsonValue;
  /** the response of an operation; for streams, a single event */
  readAnswer<O extends Operation>(operation: O, json: unknown, exchange?: DialectExchange): Reading<AnswerOf<O>>;
  writeAnswer<O extends Operation>(operation: O, answer: AnswerOf<O>, exchange?: DialectExchange): JsonValue;
  /** one stream frame: usually one event; 0.1 may pack several events or none into it */
  readEvents(json: unknown, exchange?: DialectExchange): Reading<StreamResponse[]>;
  /** the frames for one event; `last` means that the stream closes after it, for dialects with `final` */
  writeEvents(event: StreamResponse, exchange?: DialectExchange, more?: { readonly last?: boolean }): JsonValue[];
  readCard(json: unknown): Reading<AgentCard>;
  writeCard(card: AgentCard): JsonObject;
  /** the meaning of a JSON-RPC error in this dialect: the same code has had several meanings */
  readError(failure: RpcFailure): A2AError;
  writeError(error: A2AError): RpcFailure;
}
