import { randomUUID } from "node:crypto";
import {
  type AnswerOf,
  type Binding,
  type Dialect,
  type DialectExchange,
  type JsonObject,
  type Operation,
  type RequestOf,
  type StreamingOperation,
  type StreamResponse,
  startExchange,
  type UnaryOperation,
  type Violation,
} from "@assay/protocol";
import type { Exchange, Failure, HeaderPairs } from "../recording/exchange.ts";
import type { Arrived, PeerBinding, UnaryReply } from "./binding.ts";
import type { PeerClients } from "./clients.ts";
import { dialectOn } from "./dialects.ts";
import type { PeerError } from "./envelope.ts";
import { type HttpCodec, overHttp, readReply } from "./http.ts";
import { jsonRpcCodec } from "./jsonrpc.ts";
import { namedVersion, type PeerInterface, type PeerPlace } from "./place.ts";
import { restCodec } from "./rest.ts";
import { olderRestCodec } from "./rest-v0.3.ts";

/** Reasons why there is no value. The kind shows which side is at fault. */
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
  /** each event as it arrived; an error ends the stream */
  readonly events: AsyncIterable<StreamedEvent>;
  readonly finished: Promise<Exchange>;
  close(): void;
}

/**
 * An A2A agent, called with 1.0 requests whatever version it speaks. Its responses are data: nothing here throws
 * because of a peer.
 */
export interface Peer {
  call<O extends UnaryOperation>(
    operation: O,
    request: RequestOf<O>,
    signal?: AbortSignal,
  ): Promise<PeerAnswer<AnswerOf<O>>>;
  stream<O extends StreamingOperation>(operation: O, request: RequestOf<O>, signal?: AbortSignal): Promise<PeerStream>;
}

/** Opens a peer that takes the interface's own JSON, valid or not, without translation or validation. */
export async function openLine(
  clients: PeerClients,
  on: PeerInterface,
  more: Partial<Omit<PeerPlace, "url" | "version">> = {},
): Promise<PeerBinding> {
  const { url, binding } = on;
  const dialect = dialectOn(binding, on.dialect);
  return bindings[binding](clients, { url, version: namedVersion(on), headers: [], ...more }, dialect);
}

/** Creates the traffic of each binding. gRPC needs protobuf, so it is loaded on use. */
const bindings: Record<Binding, (clients: PeerClients, place: PeerPlace, dialect: Dialect) => Promise<PeerBinding>> = {
  JSONRPC: async ({ http }, place, dialect) => overHttp(http, jsonRpcCodec(place, dialect), place),
  "HTTP+JSON": async ({ http }, place, dialect) => overHttp(http, restCodecOf(place, dialect), place),
  GRPC: async ({ grpc }, place, dialect) => (await import("./grpc.ts")).grpcBinding(grpc(), place, dialect),
};

const restCodecOf = (place: PeerPlace, dialect: Dialect): HttpCodec =>
  dialect.version === "1.0" ? restCodec(place, dialect) : olderRestCodec(place);

/** Creates a reader for responses of an interface, from any caller. */
export async function openReplyReader({ url, binding, dialect: version }: PeerInterface): Promise<PeerBinding["read"]> {
  const dialect = dialectOn(binding, version);
  if (binding === "GRPC") return (await import("./grpc.ts")).grpcReplyReader(dialect);
  const place = { url, headers: [] };
  const codec = binding === "JSONRPC" ? jsonRpcCodec(place, dialect) : restCodecOf(place, dialect);
  return (_operation, exchange) => readReply(codec, exchange);
}

export function createPeer(clients: PeerClients, on: PeerInterface, headers: HeaderPairs = []): Peer {
  const { url, binding, tenant } = on;
  const dialect = dialectOn(binding, on.dialect);
  let made: Promise<PeerBinding> | undefined;
  const wire = (): Promise<PeerBinding> => {
    made ??= bindings[binding](clients, { url, version: namedVersion(on), headers }, dialect);
    return made;
  };
  const paramsOf = <O extends Operation>(operation: O, request: RequestOf<O>, talk: DialectExchange): JsonObject =>
    // The request of every operation is an object.
    dialect.writeRequest(operation, { ...(tenant === undefined ? {} : { tenant }), ...request }, talk) as JsonObject;

  return {
    async call(operation, request, signal) {
      const talk = startExchange(randomUUID);
      const { exchange, ...reading } = await (await wire()).call(operation, paramsOf(operation, request, talk), signal);
      return { exchange, ...readAnswer(dialect, operation, reading, talk) };
    },

    async stream(operation, request, signal) {
      const talk = startExchange(randomUUID);
      const opened = await (await wire()).stream(operation, paramsOf(operation, request, talk), signal);
      const { finished, close } = opened;
      return { finished, close, events: readEvents(dialect, opened.events, talk) };
    },
  };
}

function readAnswer<O extends UnaryOperation>(
  dialect: Dialect,
  operation: O,
  reading: UnaryReply,
  talk: DialectExchange,
): { is: "value"; value: AnswerOf<O> } | PeerTrouble {
  if (reading.is !== "result") return reading;
  const { value, violations } = dialect.readAnswer(operation, reading.json, talk);
  return violations ? { is: "invalid", violations } : { is: "value", value };
}

async function* readEvents(
  dialect: Dialect,
  frames: AsyncIterable<Arrived>,
  talk: DialectExchange,
): AsyncGenerator<StreamedEvent, void> {
  for await (const { at, bytes, ...reading } of frames) {
    if (reading.is !== "result") return yield { at, bytes, ...reading };
    const { value, violations } = dialect.readEvents(reading.json, talk);
    if (violations) return yield { at, bytes, is: "invalid", violations };
    // The bytes of a frame with several events count once.
    for (const [index, event] of value.entries())
      yield { at, bytes: index === 0 ? bytes : 0, is: "value", value: event };
  }
}
