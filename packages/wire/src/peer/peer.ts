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
import { dialectFor } from "./dialects.ts";
import type { PeerError } from "./envelope.ts";
import { overHttp } from "./http.ts";
import { jsonRpcCodec } from "./jsonrpc.ts";
import type { PeerInterface, PeerPlace } from "./place.ts";
import { restCodec } from "./rest.ts";
import { olderRestCodec } from "./rest-v0.3.ts";

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

/** An A2A agent to talk to, in the words of 1.0 whatever it speaks. Whatever it answers is data: nothing here throws for what a peer did. */
export interface Peer {
  call<O extends UnaryOperation>(
    operation: O,
    request: RequestOf<O>,
    signal?: AbortSignal,
  ): Promise<PeerAnswer<AnswerOf<O>>>;
  stream<O extends StreamingOperation>(operation: O, request: RequestOf<O>, signal?: AbortSignal): Promise<PeerStream>;
}

/** A peer to talk to in the very JSON of the interface, right or wrong: nothing is translated or validated. */
export async function openLine(
  clients: PeerClients,
  { url, binding, dialect: version }: PeerInterface,
  more: Partial<Omit<PeerPlace, "url">> = {},
): Promise<PeerBinding> {
  const dialect = dialectFor(binding, version);
  if (!dialect) throw new TypeError(`A2A ${version} is not spoken over ${binding}.`);
  return bindings[binding](clients, { url, headers: [], ...more }, dialect);
}

/** What turns calls into the traffic of each binding. gRPC brings protobuf along, so it is loaded when it is used. */
const bindings: Record<Binding, (clients: PeerClients, place: PeerPlace, dialect: Dialect) => Promise<PeerBinding>> = {
  JSONRPC: async ({ http }, place, dialect) => overHttp(http, jsonRpcCodec(place, dialect), place),
  "HTTP+JSON": async ({ http }, place, dialect) =>
    overHttp(http, dialect.version === "1.0" ? restCodec(place, dialect) : olderRestCodec(place), place),
  GRPC: async ({ grpc }, place, dialect) => (await import("./grpc.ts")).grpcBinding(grpc(), place, dialect),
};

export function createPeer(
  clients: PeerClients,
  { url, binding, dialect: version, tenant }: PeerInterface,
  headers: HeaderPairs = [],
): Peer {
  const dialect = dialectFor(binding, version);
  if (!dialect) throw new TypeError(`A2A ${version} is not spoken over ${binding}.`);
  let made: Promise<PeerBinding> | undefined;
  const wire = (): Promise<PeerBinding> => {
    made ??= bindings[binding](clients, { url, headers }, dialect);
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
    // A frame that tells of several events is counted once.
    for (const [index, event] of value.entries())
      yield { at, bytes: index === 0 ? bytes : 0, is: "value", value: event };
  }
}
