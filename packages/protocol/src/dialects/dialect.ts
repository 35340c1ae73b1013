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

/** A value or what is wrong with it, and what had to be read generously on the way; no notes, no member. */
export type Reading<T> = ReadResult<T> & { readonly notes?: readonly ReadingNote[] };

/**
 * One protocol version as it is written: it translates to and from the canonical 1.0 model. Reading is tolerant
 * where docs/spec/dialects.md says so, writing is strict, and what a dialect cannot carry is said in the header of each
 * codec and asserted by losses.case.ts. A dialect knows nothing of HTTP; envelopes and paths
 * belong to the bindings.
 *
 * Without an exchange each call stands alone, which is enough for every dialect but 0.1.
 */
export interface Dialect {
  readonly version: DialectVersion;
  readonly wire: Wire;
  /** the operation behind a JSON-RPC method (behind a gRPC call, for the protobuf dialects) */
  operationOf(method: string): Operation | undefined;
  /** undefined: the dialect has no such operation, and the calls below refuse it with UnsupportedOperation */
  methodOf(operation: Operation): string | undefined;
  readRequest<O extends Operation>(operation: O, json: unknown, exchange?: DialectExchange): Reading<RequestOf<O>>;
  writeRequest<O extends Operation>(operation: O, request: RequestOf<O>, exchange?: DialectExchange): JsonValue;
  /** the answer of an operation; of a stream, an event that stands alone */
  readAnswer<O extends Operation>(operation: O, json: unknown, exchange?: DialectExchange): Reading<AnswerOf<O>>;
  writeAnswer<O extends Operation>(operation: O, answer: AnswerOf<O>, exchange?: DialectExchange): JsonValue;
  /** one frame of a stream: usually one event; 0.1 may pack several into one, or none */
  readEvents(json: unknown, exchange?: DialectExchange): Reading<StreamResponse[]>;
  /** the frames that tell of one event; `last` says that the stream closes behind it, for dialects with `final` */
  writeEvents(event: StreamResponse, exchange?: DialectExchange, more?: { readonly last?: boolean }): JsonValue[];
  readCard(json: unknown): Reading<AgentCard>;
  writeCard(card: AgentCard): JsonObject;
  /** what a JSON-RPC error of this dialect means: the same code has had several meanings */
  readError(failure: RpcFailure): A2AError;
  writeError(error: A2AError): RpcFailure;
}
