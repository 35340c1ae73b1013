import type { JsonObject, JsonValue, Operation } from "@assay/protocol";
import type { HttpClient } from "../client/http.ts";
import { headerOf } from "../client/http-head.ts";
import type { RequestSpec } from "../client/request-spec.ts";
import type { Exchange, HttpResponse, SseEvent } from "../recording/exchange.ts";
import { type Arrived, failureOf, type PeerBinding, type Reply, type UnaryReply } from "./binding.ts";
import { eventJson } from "./body-json.ts";
import type { Envelope } from "./envelope.ts";
import type { PeerPlace } from "./place.ts";

/** Writes calls as HTTP requests and reads their responses. */
export interface HttpCodec {
  request(operation: Operation, params: JsonObject): RequestSpec;
  read(response: HttpResponse): Envelope;
  readEvent(json: JsonValue): Envelope;
}

/** The shared part of JSON-RPC and REST: one request per call, and streams as server-sent events. */
export const overHttp = (
  client: HttpClient,
  codec: HttpCodec,
  { change = (request) => request, connection }: Pick<PeerPlace, "change" | "connection">,
): PeerBinding => ({
  async call(operation, params, signal) {
    const exchange = await client.request({ ...change(codec.request(operation, params)), ...connection }, signal);
    return { exchange, ...readWhole(codec, exchange) };
  },

  async stream(operation, params, signal) {
    const request = { ...change(codec.request(operation, params)), ...connection };
    const { head, events, finished, close } = await client.stream(request, signal);
    const isStream = /^text\/event-stream\b/i.test(headerOf(head?.headers ?? [], "content-type") ?? "");
    return { finished, close, events: isStream ? readEvents(codec, events, finished) : refused(codec, finished) };
  },

  write: (operation, params) => codec.request(operation, params),

  read: (_operation, exchange) => readReply(codec, exchange),
});

/** Reads a finished exchange, from any caller. */
export function readReply(codec: HttpCodec, exchange: Exchange): Reply {
  const { sse } = exchange.http;
  if (!sse) return readWhole(codec, exchange);
  const events = sse.events.map((event) => arrived(codec, event));
  return { is: "stream", events, ...(exchange.failure && { failure: exchange.failure }) };
}

function readWhole(codec: HttpCodec, exchange: Exchange): UnaryReply {
  const { response } = exchange.http;
  if (!response || exchange.failure) return { is: "failure", failure: failureOf(exchange) };
  const envelope = codec.read(response);
  exchange.envelope = envelope;
  return envelope;
}

async function* readEvents(
  codec: HttpCodec,
  events: AsyncIterable<SseEvent>,
  finished: Promise<Exchange>,
): AsyncGenerator<Arrived, void> {
  for await (const event of events) yield arrived(codec, event);
  const { failure, timing } = await finished;
  if (failure && failure.code !== "aborted") yield { at: timing.end, bytes: 0, is: "failure", failure };
}

/** Caches events that were read while their stream ran, so each is read and held once. */
const read = new WeakMap<SseEvent, Arrived>();

function arrived(codec: HttpCodec, event: SseEvent): Arrived {
  const known = read.get(event);
  if (known) return known;
  const { at, data } = event;
  const made: Arrived = { at, bytes: Buffer.byteLength(data), ...readEvent(codec, event) };
  read.set(event, made);
  return made;
}

function readEvent(codec: HttpCodec, event: SseEvent): Envelope {
  let json: JsonValue;
  try {
    json = eventJson(event);
  } catch {
    return { is: "malformed", because: "the data of an event is not JSON" };
  }
  return codec.readEvent(json);
}

/** Yields a response that is not a stream: an error before the first event, or anything else. */
async function* refused(codec: HttpCodec, finished: Promise<Exchange>): AsyncGenerator<Arrived, void> {
  const exchange = await finished;
  const place = { at: exchange.timing.end, bytes: exchange.http.response?.body.length ?? 0 };
  const reading = readWhole(codec, exchange);
  if (reading.is !== "result") yield { ...place, ...reading };
  else yield { ...place, is: "malformed", because: "the response of a streaming operation is not text/event-stream" };
}
