import { maskAddresses } from "./address-secrets.ts";
import { maskCredentialHeaders, maskCredentialLines, placeholder } from "./credential-headers.ts";
import type { Exchange, GrpcRecord, HeaderPairs } from "./exchange.ts";
import { secretFinder } from "./find-secrets.ts";
import type { Span } from "./needle-search.ts";
import { asBytes } from "./secret-needles.ts";

export interface Secret {
  /** Appears in the placeholder; describes the secret without revealing it. */
  readonly name: string;
  readonly value: string;
}

/** Replaces secrets in copies. Its input stays unchanged, because judging needs the real values. */
export interface Masker {
  text(value: string): string;
  /** masks every text at any depth, including member names, which an agent may have chosen */
  value<T>(value: T): T;
  exchange(exchange: Exchange): Exchange;
}

/**
 * Creates the masker for everything written to disk, screen or report. Mask before cutting: in a text that is already
 * cut, the start of a secret is recognised by the `…` after it. Values shorter than four characters are masked only in
 * credential headers. A secret that an agent splits over two texts, such as two events of a stream, is not found.
 */
export function createMasker(secrets: readonly Secret[]): Masker {
  const find = secretFinder(secrets.map(({ value }) => value));
  const maskOf = ({ secret }: Span): string => placeholder(secrets[secret]!.name);

  const text = (value: string): string => {
    if (secrets.length === 0) return maskAddresses(value);
    let [masked, from] = ["", 0];
    for (const span of find(unitsOf(value), false)) {
      masked += value.slice(from, span.start) + maskOf(span);
      from = span.end;
    }
    return maskAddresses(masked + value.slice(from));
  };

  const bytes = (value: Uint8Array, truncated: boolean): Uint8Array => {
    const latin1 = toLatin1(value);
    let [known, from] = ["", 0];
    for (const span of find(value, truncated)) {
      known += latin1.slice(from, span.start) + asBytes(maskOf(span));
      from = span.end;
    }
    const masked = maskAddresses(known + latin1.slice(from), asBytes);
    return masked === latin1 ? value : Buffer.from(masked, "latin1");
  };

  const layer = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (value instanceof Uint8Array) return bytes(value, false);
    if (Array.isArray(value)) return value.map(layer);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [text(key), layer(member)]));
  };

  const headers = (pairs: HeaderPairs): HeaderPairs =>
    maskCredentialHeaders(pairs.map(([name, value]) => [text(name), text(value)]));

  return {
    text,
    // The output has the shape of the input.
    value: <T>(value: T) => layer(value) as T,
    exchange: (exchange) => maskedExchange(exchange, { find, text, bytes, layer, headers }),
  };
}

/** Functions that mask the parts of an exchange. */
interface Masking {
  readonly find: ReturnType<typeof secretFinder>;
  readonly text: (value: string) => string;
  readonly bytes: (value: Uint8Array, truncated: boolean) => Uint8Array;
  readonly layer: (value: unknown) => unknown;
  readonly headers: (pairs: HeaderPairs) => HeaderPairs;
}

function maskedExchange(exchange: Exchange, masking: Masking): Exchange {
  const { text, layer } = masking;
  const { failure } = exchange;
  const { response, grpc } = exchange.http;
  const coded = hasField(response, /^grpc-encoding$/i);
  const data = (value: Uint8Array, truncated: boolean): Uint8Array =>
    grpc ? maskedFrames(value, truncated, grpc, coded, masking) : masking.bytes(value, truncated);
  return {
    ...exchange,
    transport: maskedTransport(exchange, data, masking),
    http: maskedHttp(exchange, data, masking),
    ...(failure && {
      failure: {
        code: failure.code,
        message: text(failure.message),
        ...(failure.hint && { hint: text(failure.hint) }),
      },
    }),
    ...("envelope" in exchange && { envelope: layer(exchange.envelope) }),
    ...("decoded" in exchange && { decoded: layer(exchange.decoded) }),
  };
}

const hasField = (response: Exchange["http"]["response"], name: RegExp): boolean =>
  response?.headers.some(([each]) => name.test(each)) ?? false;

function maskedTransport(
  { transport, http: { request, response } }: Exchange,
  data: Masking["bytes"],
  masking: Masking,
): Exchange["transport"] {
  const { sent, sentTruncated, received, receivedTruncated } = transport;
  if (transport.http2)
    return { ...transport, sent: masking.bytes(sent, sentTruncated), received: data(received, receivedTruncated) };
  const body = response?.body ?? new Uint8Array();
  const compressed = hasField(response, /^content-encoding$/i);
  return {
    ...transport,
    sent: maskedCarriage(sent, sentTruncated, request.body, false, masking),
    received: maskedCarriage(received, receivedTruncated, body, compressed, masking),
  };
}

function maskedHttp(
  { http: { request, response, sse, grpc } }: Exchange,
  data: Masking["bytes"],
  { text, bytes, headers }: Masking,
): Exchange["http"] {
  return {
    request: {
      method: text(request.method),
      url: text(request.url),
      headers: headers(request.headers),
      body: bytes(request.body, request.bodyTruncated),
      bodyTruncated: request.bodyTruncated,
    },
    ...(response && {
      response: {
        ...response,
        statusText: text(response.statusText),
        headers: headers(response.headers),
        trailers: headers(response.trailers),
        body: data(response.body, response.bodyTruncated),
      },
    }),
    ...(sse && {
      sse: {
        ...sse,
        events: sse.events.map((event) => ({
          ...event,
          ...(event.event !== undefined && { event: text(event.event) }),
          ...(event.id !== undefined && { id: text(event.id) }),
          data: text(event.data),
        })),
        ...(sse.unfinished !== undefined && { unfinished: text(sse.unfinished) }),
      },
    }),
    ...(grpc && {
      grpc: {
        ...grpc,
        messages: grpc.messages.map(({ at, bytes: message }) => ({ at, bytes: bytes(message, false) })),
      },
    }),
  };
}

/**
 * Masks raw bytes as far as possible. A compressed or unluckily chunked body can hide a secret from every pattern. If
 * the decoded body contains more secrets than the raw bytes, the raw bytes are dropped.
 */
function maskedCarriage(
  value: Uint8Array,
  truncated: boolean,
  body: Uint8Array,
  compressed: boolean,
  { find, bytes }: Masking,
): Uint8Array {
  const latin1 = toLatin1(value);
  const headEnd = /\r?\n\r?\n/.exec(latin1);
  const split = headEnd ? headEnd.index + headEnd[0].length : latin1.length;
  const inBody = find(body, false).length;
  const hides = inBody > find(value.subarray(split), false).length || (compressed && inBody > 0);
  const kept = hides ? Buffer.concat([value.subarray(0, split), Buffer.from(placeholder("body"))]) : value;
  return Buffer.from(maskCredentialLines(toLatin1(bytes(kept, truncated))), "latin1");
}

/**
 * Masks gRPC frames, whose messages are compressed one by one. If the messages contain more secrets than the frames, or
 * are too many to check, the frames are dropped.
 */
function maskedFrames(
  value: Uint8Array,
  truncated: boolean,
  grpc: GrpcRecord,
  coded: boolean,
  { find, bytes }: Masking,
): Uint8Array {
  const inMessages = grpc.messages.reduce((sum, message) => sum + find(message.bytes, false).length, 0);
  const hides = inMessages > find(value, false).length || (coded && grpc.messagesDropped > 0);
  return hides ? Buffer.from(placeholder("body")) : bytes(value, truncated);
}

const unitsOf = (text: string): Uint16Array => {
  const units = new Uint16Array(text.length);
  Buffer.from(units.buffer).write(text, "utf16le");
  return units;
};

const toLatin1 = (value: Uint8Array): string =>
  Buffer.from(value.buffer, value.byteOffset, value.length).toString("latin1");
