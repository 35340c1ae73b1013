import {
  type AnswerOf,
  type JsonObject,
  type JsonValue,
  parseJson,
  type RequestOf,
  type StreamingOperation,
  type StreamResponse,
  type UnaryOperation,
  type Violation,
  v10,
} from "@assay/protocol";
import type { HttpClient } from "../client/http.ts";
import { headerOf } from "../client/http-head.ts";
import type { Exchange, Failure, HeaderPairs } from "../recording/exchange.ts";
import type { PeerBinding } from "./binding.ts";
import type { Envelope, PeerError } from "./envelope.ts";
import { jsonRpcBinding } from "./jsonrpc.ts";
import { restBinding } from "./rest.ts";

/** One interface of an agent, as its card names it. */
export interface PeerInterface {
  readonly url: string;
  readonly binding: "JSONRPC" | "HTTP+JSON";
  readonly tenant?: string;
}

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

export function createPeer(
  client: HttpClient,
  { url, binding, tenant }: PeerInterface,
  headers: HeaderPairs = [],
): Peer {
  const wire: PeerBinding = binding === "JSONRPC" ? jsonRpcBinding() : restBinding;
  const specOf = (operation: UnaryOperation | StreamingOperation, request: object) => {
    const params = { ...(tenant === undefined ? {} : { tenant }), ...request } as JsonObject;
    const spec = wire.request(url, operation, params);
    return { ...spec, headers: [...(spec.headers ?? []), ...headers] };
  };

  return {
    async call(operation, request, signal) {
      const exchange = await client.request(specOf(operation, request), signal);
      const { response } = exchange.http;
      if (!response || exchange.failure) return { exchange, is: "failure", failure: exchange.failure ?? noAnswer };
      const envelope = wire.read(response);
      exchange.envelope = envelope;
      return { exchange, ...readValue(operation, envelope) };
    },

    async stream(operation, request, signal) {
      const opened = await client.stream(specOf(operation, request), signal);
      const { events, finished, close } = opened;
      const isStream = /^text\/event-stream\b/i.test(headerOf(opened.head?.headers ?? [], "content-type") ?? "");
      return { finished, close, events: isStream ? read(operation, events, finished) : refused(finished) };
    },
  };

  async function* read(
    operation: StreamingOperation,
    events: AsyncIterable<{ at: number; data: string }>,
    finished: Promise<Exchange>,
  ): AsyncGenerator<StreamedEvent, void> {
    for await (const { at, data } of events) {
      const json = parsed(data);
      const envelope: Envelope =
        json === undefined ? { is: "malformed", because: "an event whose data is no JSON" } : wire.readEvent(json);
      const value = readValue(operation, envelope);
      yield { at, bytes: Buffer.byteLength(data), ...value };
      if (value.is !== "value") return;
    }
    const { failure, timing } = await finished;
    if (failure && failure.code !== "aborted") yield { at: timing.end, bytes: 0, is: "failure" as const, failure };
  }

  /** The answer was no stream: an error before the first event, or something else altogether. */
  async function* refused(finished: Promise<Exchange>): AsyncGenerator<StreamedEvent, void> {
    const exchange = await finished;
    const { response } = exchange.http;
    const place = { at: exchange.timing.end, bytes: response?.body.length ?? 0 };
    if (!response || exchange.failure)
      return yield { ...place, is: "failure" as const, failure: exchange.failure ?? noAnswer };
    const envelope = wire.read(response);
    exchange.envelope = envelope;
    if (envelope.is !== "result") return yield { ...place, ...envelope };
    yield { ...place, is: "malformed" as const, because: "a streaming operation answered without text/event-stream" };
  }
}

const noAnswer: Failure = { code: "closed-early", message: "the peer closed the connection without an answer" };

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function readValue<O extends UnaryOperation | StreamingOperation>(
  operation: O,
  envelope: Envelope,
): { is: "value"; value: AnswerOf<O> } | PeerTrouble {
  if (envelope.is !== "result") return envelope;
  const read = v10.readAnswer(operation, envelope.json);
  return read.violations ? { is: "invalid", violations: read.violations } : { is: "value", value: read.value };
}
