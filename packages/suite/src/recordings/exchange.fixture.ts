import { isObject, type JsonValue } from "@assay/protocol";
import type { Exchange, HeaderPairs } from "@assay/wire";

/** Bytes as compact JSON or as text, if they can be read as such. */
export type PackedBytes = string | { readonly json: JsonValue } | { readonly base64: string };

/** An exchange without redundant members. */
export interface PackedExchange {
  readonly sent: readonly [method: string, url: string];
  readonly headers: HeaderPairs;
  readonly body?: PackedBytes;
  readonly answer?: {
    readonly status: number;
    readonly text?: string;
    readonly headers: HeaderPairs;
    readonly trailers?: HeaderPairs;
    readonly body?: PackedBytes;
    readonly truncated?: true;
    readonly undecoded?: string;
  };
  readonly sse?: Omit<SseRecord, "events"> & { readonly events: readonly PackedEvent[] };
  readonly grpc?: readonly (readonly [at: number, bytes: PackedBytes])[];
  readonly timing: Exchange["timing"];
  readonly failure?: NonNullable<Exchange["failure"]>;
  readonly remote?: NonNullable<Exchange["remote"]>;
  readonly http2?: true;
  readonly reused?: true;
  /** the bytes on the socket, if a judge reads them */
  readonly socket?: readonly [sent: PackedBytes, received: PackedBytes];
}

type SseRecord = NonNullable<Exchange["http"]["sse"]>;
type PackedEvent = Omit<SseRecord["events"][number], "data"> & { readonly data: PackedBytes };

/** The kept part of an exchange, and its renamed ids. */
export interface Keeping {
  /**
   * - `everything`: also the bytes of the socket and of streams, which otherwise only appear as events;
   * - `brief`: without blanks in JSON, without the skills of cards except the first, and without header fields that say
   *   nothing about an agent.
   */
  readonly detail: "everything" | "plain" | "brief";
  /** renames ids, ports and secrets, keeping their length */
  readonly rename: (text: string) => string;
}

const ofTheConnection = /^(?:host|date|connection|keep-alive|content-length|access-control-.*)$/i;

export function packExchange({ http, timing, failure, remote, transport }: Exchange, keeping: Keeping): PackedExchange {
  const { request, response, sse, grpc } = http;
  const { rename } = keeping;
  const everything = keeping.detail === "everything";
  const bytes = (each: Uint8Array): PackedBytes => packBytes(each, keeping);
  const fields = (pairs: HeaderPairs): HeaderPairs =>
    pairs
      .filter(([name]) => keeping.detail !== "brief" || !ofTheConnection.test(name))
      .map(([name, value]) => [name, rename(value)]);
  const isTold = sse !== undefined || grpc !== undefined;
  return {
    sent: [request.method, rename(request.url)],
    headers: fields(request.headers),
    ...(request.body.length > 0 && (everything || !transport.http2) && { body: bytes(request.body) }),
    ...(response && {
      answer: {
        status: response.status,
        ...(response.statusText !== "" && { text: response.statusText }),
        headers: fields(response.headers),
        ...(response.trailers.length > 0 && { trailers: fields(response.trailers) }),
        ...(response.body.length > 0 && (everything || !isTold) && { body: bytes(response.body) }),
        ...(response.bodyTruncated && { truncated: true as const }),
        ...(response.undecoded !== undefined && { undecoded: response.undecoded }),
      },
    }),
    ...(sse && {
      sse: { ...sse, events: sse.events.map((each) => ({ ...each, data: bytes(Buffer.from(each.data)) })) },
    }),
    ...(grpc && { grpc: grpc.messages.map((each) => [each.at, bytes(each.bytes)] as const) }),
    timing,
    ...(failure && { failure: { ...failure, message: rename(failure.message) } }),
    ...(remote && everything && { remote }),
    ...(transport.http2 && { http2: true as const }),
    ...(transport.reused && { reused: true as const }),
    ...(everything && { socket: [bytes(transport.sent), bytes(transport.received)] as const }),
  };
}

export function unpackExchange(packed: PackedExchange, id: string): Exchange {
  const { sent, headers, body, answer, sse, grpc, timing, failure, remote, http2, reused, socket } = packed;
  const [method, url] = sent;
  return {
    id,
    transport: {
      ...(http2 && { http2 }),
      sent: unpackBytes(socket?.[0]),
      sentTruncated: false,
      received: unpackBytes(socket?.[1]),
      receivedTruncated: false,
      reused: reused ?? false,
    },
    http: {
      request: { method, url, headers, body: unpackBytes(body), bodyTruncated: false },
      ...(answer && {
        response: {
          status: answer.status,
          statusText: answer.text ?? "",
          headers: answer.headers,
          trailers: answer.trailers ?? [],
          body: unpackBytes(answer.body),
          bodyTruncated: answer.truncated ?? false,
          ...(answer.undecoded !== undefined && { undecoded: answer.undecoded }),
        },
      }),
      ...(sse && { sse: { ...sse, events: sse.events.map((each) => ({ ...each, data: textOf(each.data) })) } }),
      ...(grpc && {
        grpc: { messages: grpc.map(([at, bytes]) => ({ at, bytes: unpackBytes(bytes) })), messagesDropped: 0 },
      }),
    },
    timing,
    ...(failure && { failure }),
    ...(remote && { remote }),
  };
}

export function packBytes(bytes: Uint8Array, { rename, detail }: Keeping): PackedBytes {
  // Renaming keeps the length, because protobuf writes it before texts.
  const renamed = Buffer.from(rename(Buffer.from(bytes).toString("latin1")), "latin1");
  const text = renamed.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(renamed)) return { base64: renamed.toString("base64") };
  const json = asJson(text);
  if (json !== undefined && detail === "brief") return { json: withoutSkills(json) };
  return json !== undefined && JSON.stringify(json) === text ? { json } : text;
}

export const unpackBytes = (packed: PackedBytes = ""): Uint8Array =>
  typeof packed === "object" && "base64" in packed ? Buffer.from(packed.base64, "base64") : Buffer.from(textOf(packed));

const textOf = (packed: Exclude<PackedBytes, { base64: string }> | PackedBytes): string =>
  typeof packed === "string" ? packed : "json" in packed ? JSON.stringify(packed.json) : "";

/** Parses a text if it is JSON. */
function asJson(text: string): JsonValue | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Skills make cards long, and most judges need only one. */
export function withoutSkills(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(withoutSkills);
  if (!isObject(json)) return json;
  // JSON contains only JSON.
  const members = Object.entries(json) as [string, JsonValue][];
  const isCard = "capabilities" in json;
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      isCard && name === "skills" && Array.isArray(value) ? value.slice(0, 1) : withoutSkills(value),
    ]),
  );
}
