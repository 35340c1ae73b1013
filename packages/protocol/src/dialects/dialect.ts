import type { JsonValue } from "../json.ts";
import type { AnswerOf, Operation, RequestOf } from "../operations.ts";
import type { ReadResult } from "../schemas/validate.ts";
import type { DialectVersion } from "../versions.ts";

/**
 * One protocol version as it is written: it translates to and from the canonical 1.0 model.
 * A dialect knows nothing of HTTP; envelopes and paths belong to the bindings.
 */
export interface Dialect {
  readonly version: DialectVersion;
  /** the operation behind a JSON-RPC method of this dialect */
  operationOf(method: string): Operation | undefined;
  methodOf(operation: Operation): string | undefined;
  readRequest<O extends Operation>(operation: O, json: unknown): ReadResult<RequestOf<O>>;
  writeRequest<O extends Operation>(operation: O, request: RequestOf<O>): JsonValue;
  /** the answer of an operation, or one event of its stream */
  readAnswer<O extends Operation>(operation: O, json: unknown): ReadResult<AnswerOf<O>>;
  writeAnswer<O extends Operation>(operation: O, answer: AnswerOf<O>): JsonValue;
}
