import { A2AError } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { AgentCard, StreamResponse } from "../model.ts";
import type { AnswerOf, Operation, RequestOf } from "../operations.ts";
import type { DialectVersion } from "../versions.ts";
import type { OlderWire } from "./check.ts";
import { type Codec, type Reader, readWith } from "./codec.ts";
import type { Dialect, Reading } from "./dialect.ts";
import type { ErrorCodec } from "./errors.ts";
import { type DialectExchange, startExchange } from "./exchange.ts";

/** An operation of an older dialect. Streaming operations have events instead of an answer. */
export interface OperationCodec<O extends Operation> {
  readonly method: string;
  readonly request: Codec<RequestOf<O>>;
  readonly answer?: Codec<AnswerOf<O>>;
}

/** An operation without a row does not exist in the dialect. */
export type OperationCodecs = { readonly [O in Operation]?: OperationCodec<O> };

export interface EventCodec extends Reader<StreamResponse[]> {
  write(event: StreamResponse, exchange: DialectExchange, last: boolean): JsonValue[];
}

export interface DialectParts extends ErrorCodec {
  readonly version: DialectVersion;
  readonly wire: OlderWire;
  readonly rows: OperationCodecs;
  readonly events: EventCodec;
  readonly card: Codec<AgentCard>;
}

/** Builds a dialect from its table of operations. */
export function assemble({ version, wire, rows, events, card, readError, writeError }: DialectParts): Dialect {
  const operations = new Map(
    Object.entries(rows).map(([operation, { method }]) => [method, operation as Operation] as const),
  );
  const rowOf = <O extends Operation>(operation: O): OperationCodec<O> => {
    const row: OperationCodecs[O] = rows[operation];
    if (!row) throw new A2AError("UnsupportedOperation", `A2A ${wire} has no ${operation}`);
    return row;
  };

  return {
    version,
    wire,
    readError,
    writeError,
    operationOf: (method) => operations.get(method),
    methodOf: (operation) => rows[operation]?.method,

    readRequest: (operation, json, exchange = startExchange()) =>
      readWith(wire, rowOf(operation).request, json, exchange),
    writeRequest: (operation, request, exchange = startExchange()) => rowOf(operation).request.write(request, exchange),

    readAnswer(operation, json, exchange = startExchange()) {
      const row = rowOf(operation);
      if (row.answer) return readWith(wire, row.answer, json, exchange);
      const { value, ...rest } = readWith(wire, events, json, exchange);
      // A streaming operation answers with events, as AnswerOf declares.
      return (value ? { value: value[0], ...rest } : rest) as Reading<AnswerOf<typeof operation>>;
    },
    writeAnswer(operation, answer, exchange = startExchange()) {
      const row = rowOf(operation);
      if (row.answer) return row.answer.write(answer, exchange);
      return events.write(answer as StreamResponse, exchange, false)[0]!;
    },

    readEvents: (json, exchange = startExchange()) => readWith(wire, events, json, exchange),
    writeEvents: (event, exchange = startExchange(), { last = false } = {}) => events.write(event, exchange, last),

    readCard: (json) => readWith(wire, card, json, startExchange()),
    writeCard: (value) => card.write(value, startExchange()) as JsonObject,
  };
}
