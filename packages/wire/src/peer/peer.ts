import {
  type AnswerOf,
  type Binding,
  type Dialect,
  type JsonObject,
  type Operation,
  type RequestOf,
  type StreamingOperation,
  type StreamResponse,
  type UnaryOperation,
  type Violation,
  v10,
} from "@assay/protocol";
import type { Exchange, Failure, HeaderPairs } from "../recording/exchange.ts";
import type { Arrived, PeerBinding, Reading } from "./binding.ts";
import type { PeerClients } from "./clients.ts";
import type { PeerError } from "./envelope.ts";
import { overHttp } from "./http.ts";
import { jsonRpcCodec } from "./jsonrpc.ts";
import type { PeerInterface, PeerPlace } from "./place.ts";
import { restCodec } from "./rest.ts";

/** Why there is no value: each says on whose side it lies. */
export type PeerTrouble =
  | { readonly is: "error"; readonly error: PeerError }
  | { readonly is: "malformed"; readonly because: string }
  | { readonly is: "invalid"; readonly violations: readonly Violation[] }
  | { readonly is: "failure"; readonly failure: Failure };

export type PeerAnswer<T> = { readonly exchange: Exchange } & (
  | { readonly is: "value"; readonly value: T }
  | PeerTrouble
);

export type StreamedEvent = { readonly at: number; readonly bytes: number } & (
  | { readonly is: "value"; readonly value: StreamResponse }
  | PeerTrouble
);

export interface PeerStream {
  /** each event as it came; trouble ends the stream */
  readonly events: AsyncIterable<StreamedEvent>;
  readonly finished: Promise<Exchange>;
  close(): void;
}

/** An A2A 1.0 agent to talk to. Whatever it answers is data: nothing here throws for what a peer did. */
export interface Peer {
  call<O extends UnaryOperation>(
    operation: O,
    request: RequestOf<O>,
    signal?: AbortSignal,
  ): Promise<PeerAnswer<AnswerOf<O>>>;
  stream<O extends StreamingOperation>(operation: O, request: RequestOf<O>, signal?: AbortSignal): Promise<PeerStream>;
}

/** What turns calls into the traffic of each binding. gRPC brings protobuf along, so it is loaded when it is used. */
const bindings: Record<Binding, (clients: PeerClients, place: PeerPlace, dialect: Dialect) => Promise<PeerBinding>> = {
  JSONRPC: async ({ http }, place, dialect) => overHttp(http, jsonRpcCodec(place, dialect)),
  "HTTP+JSON": async ({ http }, place, dialect) => overHttp(http, restCodec(place, dialect)),
  GRPC: async ({ grpc }, place, dialect) => (await import("./grpc.ts")).grpcBinding(grpc(), place, dialect),
};

export function createPeer(
  clients: PeerClients,
  { url, binding, tenant }: PeerInterface,
  headers: HeaderPairs = [],
): Peer {
  const dialect = v10;
  let made: Promise<PeerBinding> | undefined;
  const wire = (): Promise<PeerBinding> => {
    made ??= bindings[binding](clients, { url, headers }, dialect);
    return made;
  };
  const paramsOf = <O extends Operation>(operation: O, request: RequestOf<O>): JsonObject =>
    // The request of every operation is an object.
    dialect.writeRequest(operation, { ...(tenant === undefined ? {} : { tenant }), ...request }) as JsonObject;

  return {
    async call(operation, request, signal) {
      const { exchange, ...reading } = await (await wire()).call(operation, paramsOf(operation, request), signal);
      return { exchange, ...readAnswer(dialect, operation, reading) };
    },

    async stream(operation, request, signal) {
      const opened = await (await wire()).stream(operation, paramsOf(operation, request), signal);
      const { finished, close } = opened;
      return { finished, close, events: readEvents(dialect, opened.events) };
    },
  };
}

function readAnswer<O extends UnaryOperation>(
  dialect: Dialect,
  operation: O,
  reading: Reading,
): { is: "value"; value: AnswerOf<O> } | PeerTrouble {
  if (reading.is !== "result") return reading;
  const { value, violations } = dialect.readAnswer(operation, reading.json);
  return violations ? { is: "invalid", violations } : { is: "value", value };
}

async function* readEvents(dialect: Dialect, frames: AsyncIterable<Arrived>): AsyncGenerator<StreamedEvent, void> {
  for await (const { at, bytes, ...reading } of frames) {
    if (reading.is !== "result") return yield { at, bytes, ...reading };
    const { value, violations } = dialect.readEvents(reading.json);
    if (violations) return yield { at, bytes, is: "invalid", violations };
    // A frame that tells of several events is counted once.
    for (const [index, event] of value.entries())
      yield { at, bytes: index === 0 ? bytes : 0, is: "value", value: event };
  }
}
