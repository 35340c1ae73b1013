import { headerOf } from "../client/http-head.ts";
import type { Exchange, Timing } from "./exchange.ts";

/** The parts of HAR 1.2 that we write (http://www.softwareishard.com/blog/har-12-spec/); `_` marks additions. */
export interface Har {
  readonly log: {
    readonly version: "1.2";
    readonly creator: HarCreator;
    readonly entries: readonly HarEntry[];
  };
}

export interface HarCreator {
  readonly name: string;
  readonly version: string;
}

interface NameValue {
  readonly name: string;
  readonly value: string;
}

export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly cookies: readonly NameValue[];
    readonly headers: readonly NameValue[];
    readonly queryString: readonly NameValue[];
    readonly postData?: { readonly mimeType: string; readonly text: string; readonly _encoding?: "base64" };
    readonly headersSize: number;
    readonly bodySize: number;
  };
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly cookies: readonly NameValue[];
    readonly headers: readonly NameValue[];
    readonly content: {
      readonly size: number;
      readonly mimeType: string;
      readonly text: string;
      readonly encoding?: "base64";
    };
    readonly redirectURL: string;
    readonly headersSize: number;
    readonly bodySize: number;
    readonly _trailers?: readonly NameValue[];
    /** for streams: arrival of each event, in milliseconds since the request started */
    readonly _arrivals?: readonly number[];
    readonly _error?: string;
  };
  readonly cache: Record<string, never>;
  readonly timings: {
    readonly connect: number;
    readonly send: number;
    readonly wait: number;
    readonly receive: number;
  };
  readonly serverIPAddress?: string;
  /** faults that Assay injected into this exchange (`--fault`) */
  readonly _faults?: readonly string[];
  readonly _id: string;
}

/** Converts exchanges to an HTTP archive. Pass masked exchanges, because everything is written as given. */
export const toHar = (exchanges: readonly Exchange[], creator: HarCreator): Har => ({
  log: { version: "1.2", creator, entries: exchanges.map(toHarEntry) },
});

export function toHarEntry({ id, timing, transport, http, remote, failure, faults }: Exchange): HarEntry {
  const { request, response } = http;
  const body = textOf(request.body);
  const content = textOf(response?.body ?? new Uint8Array());
  return {
    startedDateTime: timing.startedAt,
    time: timing.end,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: transport.http2 ? "HTTP/2" : "HTTP/1.1",
      cookies: [],
      headers: request.headers.map(nameValue),
      queryString: URL.canParse(request.url) ? [...new URL(request.url).searchParams].map(nameValue) : [],
      ...(request.body.length > 0 && {
        postData: {
          mimeType: headerOf(request.headers, "content-type") ?? "",
          text: body.text,
          ...(body.encoding && { _encoding: body.encoding }),
        },
      }),
      headersSize: transport.http2 ? -1 : headSize(transport.sent),
      bodySize: request.body.length,
    },
    response: {
      // Browsers write 0 if there was no response.
      status: response?.status ?? 0,
      statusText: response?.statusText ?? "",
      httpVersion: transport.http2 ? "HTTP/2" : versionOf(transport.received),
      cookies: [],
      headers: response?.headers.map(nameValue) ?? [],
      content: {
        size: response?.body.length ?? 0,
        mimeType: headerOf(response?.headers ?? [], "content-type") ?? "",
        ...content,
      },
      redirectURL: headerOf(response?.headers ?? [], "location") ?? "",
      headersSize: transport.http2 ? -1 : headSize(transport.received),
      bodySize: -1,
      ...(response?.trailers.length && { _trailers: response.trailers.map(nameValue) }),
      ...arrivalsIn(http),
      ...(failure && { _error: `${failure.code}: ${failure.message}` }),
    },
    cache: {},
    timings: toTimings(timing),
    ...(remote && { serverIPAddress: remote.address }),
    ...(faults && { _faults: faults }),
    _id: id,
  };
}

function arrivalsIn({ sse, grpc }: Exchange["http"]): Pick<HarEntry["response"], "_arrivals"> {
  const frames = sse?.events ?? grpc?.messages ?? [];
  return frames.length ? { _arrivals: frames.map(({ at }) => round(at)) } : {};
}

/** Steps that were not reached take no time; the step in which the exchange ended takes the rest. */
function toTimings({ connected, requestSent, firstByte, end }: Timing): HarEntry["timings"] {
  const connectedAt = connected ?? end;
  const sentAt = requestSent ?? connectedAt;
  const firstAt = firstByte ?? (requestSent === undefined ? sentAt : end);
  return {
    connect: round(connectedAt),
    send: round(sentAt - connectedAt),
    wait: round(firstAt - sentAt),
    receive: round(end - firstAt),
  };
}

const round = (ms: number): number => Math.max(0, Math.round(ms * 100) / 100);

const nameValue = ([name, value]: readonly [string, string]): NameValue => ({ name, value });

/** Returns text, or Base64 if text would lose bytes. */
function textOf(bytes: Uint8Array): { text: string; encoding?: "base64" } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = buffer.toString("utf8");
  return Buffer.from(text).equals(buffer) ? { text } : { text: buffer.toString("base64"), encoding: "base64" };
}

/** -1 means unknown in HAR. */
function headSize(bytes: Uint8Array): number {
  const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf("\r\n\r\n");
  return end === -1 ? -1 : end + 4;
}

const versionOf = (received: Uint8Array): string =>
  /^HTTP\/\d(\.\d)?/.exec(Buffer.from(received.subarray(0, 16)).toString("latin1"))?.[0] ?? "HTTP/1.1";
