import { type IncomingMessage, type ServerResponse, validateHeaderName, validateHeaderValue } from "node:http";
import {
  constants,
  Http2ServerRequest,
  Http2ServerResponse,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { ServerContext } from "./context.ts";
import type { Handler } from "./handler.ts";
import type { ServerLimits } from "./limits.ts";
import { discardRest } from "./lingering.ts";
import { ServedRequest } from "./served-request.ts";
import { WireError } from "./wire-error.ts";

/** Serves one HTTP/2 stream with the HTTP/1.1 handler, within the same limits. */
export function serveWebStream(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
  handler: Handler,
  context: ServerContext,
): void {
  const { limits } = context;
  // Broken streams are the client's problem; without this listener Node would exit.
  stream.on("error", () => {});
  // The client may already have reset it.
  if (stream.closed || stream.destroyed) return;
  const message = new StreamMessage(stream, headers, rawHeaders);
  const response = new StreamResponse(stream, message, limits);
  const { expect } = message.headers;
  const asksFirst = typeof expect === "string" && expect.toLowerCase() === "100-continue";
  // Both classes share enough with Node's HTTP/1.1 messages for ServedRequest.
  const request = new ServedRequest(
    message as unknown as IncomingMessage,
    response as unknown as ServerResponse,
    context,
    asksFirst ? () => response.writeContinue() : undefined,
  );
  watchArrival(stream, message, request, limits);
  response.on("close", () => request.settle());
  const fault = faultOf(headers, isHeadTooLarge(rawHeaders, limits));
  if (fault) request.refuse(...fault);
  else if (expect !== undefined && !asksFirst) request.refuse(417, 'This server supports only "Expect: 100-continue".');
  else request.handle(handler);
}

/** Fails a body that does not end in time or breaks off. HTTP/2 reports the end of a broken stream like any other. */
function watchArrival(
  stream: ServerHttp2Stream,
  message: StreamMessage,
  { body }: ServedRequest,
  limits: ServerLimits,
): void {
  if (message.complete) return;
  const late = setTimeout(() => {
    body.fail(new WireError("body-timeout", "The request took too long to arrive."));
    if (stream.headersSent) stream.close(constants.NGHTTP2_CANCEL);
  }, limits.requestTimeoutMs);
  stream
    .once("aborted", () =>
      body.fail(new WireError("disconnected", "the client disconnected before its body was complete")),
    )
    .once("end", () => clearTimeout(late))
    .once("close", () => clearTimeout(late));
}

export const headTooLarge = "The request headers are too large.";

export const isHeadTooLarge = (rawHeaders: readonly string[], { headerBytes }: ServerLimits): boolean =>
  rawHeaders.reduce((bytes, each) => bytes + each.length, 0) > headerBytes;

/** Returns the error that an HTTP/1.1 parser would report. */
function faultOf(headers: IncomingHttpHeaders, isTooLarge: boolean): [status: number, message: string] | undefined {
  const { ":method": method, ":authority": authority, host } = headers;
  if (method === "CONNECT") return [405, "This server is not a proxy."];
  if (isTooLarge) return [431, headTooLarge];
  if (authority === undefined && host === undefined) return [400, "A request needs an authority or a Host header."];
  // RFC 9113 §8.3.1: a proxy may have checked only one of two different names.
  if (authority !== undefined && host !== undefined && authority !== host)
    return [400, "The authority and the Host header differ."];
  return undefined;
}

// Node's types declare accessors as properties, which a class cannot override, so both classes are declared here.

interface NodeMessage extends Pick<Http2ServerRequest, "readableEnded"> {
  readonly stream: ServerHttp2Stream & { readonly endAfterHeaders: boolean };
}

const NodeMessage = Http2ServerRequest as unknown as new (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  options: undefined,
  rawHeaders: readonly string[],
) => NodeMessage;

interface NodeResponse {
  readonly stream: ServerHttp2Stream;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  setHeader(name: string, value: string): void;
  writeHead(status: number): this;
  write(chunk: string | Uint8Array, written?: () => void): boolean;
  end(): this;
  flushHeaders(): void;
  writeContinue(): void;
  on(event: "close", listener: () => void): this;
}

const NodeResponse = Http2ServerResponse as unknown as new (stream: ServerHttp2Stream) => NodeResponse;

/** Node's HTTP/2 message with the headers of an HTTP/1.1 message. */
class StreamMessage extends NodeMessage {
  readonly #headers: IncomingHttpHeaders = {};
  readonly #rawHeaders: string[] = [];

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]) {
    super(stream, headers, undefined, rawHeaders);
    for (const name in headers) if (!name.startsWith(":")) this.#headers[name] = headers[name];
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const name = rawHeaders[at]!;
      if (!name.startsWith(":")) this.#rawHeaders.push(name, rawHeaders[at + 1]!);
    }
    const { ":authority": authority } = headers;
    if (authority === undefined || headers.host !== undefined) return;
    this.#headers.host = authority;
    this.#rawHeaders.unshift("host", authority);
  }

  get headers(): IncomingHttpHeaders {
    return this.#headers;
  }

  get rawHeaders(): string[] {
    return this.#rawHeaders;
  }

  /** It was read to the end that its client sent. */
  get complete(): boolean {
    return this.stream.endAfterHeaders || (this.readableEnded && !this.stream.aborted);
  }
}

/** Headers of an HTTP/1.1 connection, which make an HTTP/2 response malformed (RFC 9113 §8.2.2). */
const connectionHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);

type GivenHeaders = readonly string[] | Readonly<Record<string, string>>;

/** Node's HTTP/2 response, adapted where it differs from HTTP/1.1. */
class StreamResponse extends NodeResponse {
  readonly #message: StreamMessage;
  readonly #limits: ServerLimits;

  constructor(stream: ServerHttp2Stream, message: StreamMessage, limits: ServerLimits) {
    super(stream);
    this.#message = message;
    this.#limits = limits;
  }

  /** Always true, because one response must not close a connection that other streams share. */
  get shouldKeepAlive(): boolean {
    return true;
  }

  set shouldKeepAlive(_asked: boolean) {}

  get destroyed(): boolean {
    return this.stream.destroyed || this.stream.closed;
  }

  /** Node also ends the stream of a disconnected client. */
  get writableFinished(): boolean {
    return this.writableEnded && this.stream.writableFinished && !this.stream.aborted;
  }

  /** As in HTTP/1.1: writes all headers, or none and throws. */
  override writeHead(status: number, ...given: (string | GivenHeaders)[]): this {
    const headers = given.at(-1) ?? [];
    const pairs = typeof headers === "string" ? [] : pairsOf(headers).filter(([name]) => !connectionHeaders.has(name));
    for (const [name, value] of pairs) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    for (const [name, value] of pairs) this.setHeader(name, value);
    return super.writeHead(status);
  }

  override write(chunk: string | Uint8Array, written?: () => void): boolean {
    this.flushHeaders();
    // HEAD and 204 have no body.
    return this.stream.writable ? super.write(chunk, written) : true;
  }

  override end(chunk?: string | Uint8Array): this {
    // Not `this.write`: a mutant that overrides write changes the final chunk itself.
    if (chunk?.length) StreamResponse.prototype.write.call(this, chunk);
    super.end();
    // Unread data would block other streams of the connection.
    if (!this.#message.complete)
      discardRest(this.#message as unknown as IncomingMessage, this.#limits, () => {
        if (!this.#message.complete) this.stream.close(constants.NGHTTP2_NO_ERROR);
      });
    return this;
  }

  /** Resets the stream. Node would end it without an error, as if the response were complete. */
  destroy(): this {
    if (!this.destroyed) this.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    return this;
  }
}

const pairsOf = (headers: GivenHeaders): [name: string, value: string][] => {
  const list = Array.isArray(headers) ? (headers as readonly string[]) : Object.entries(headers).flat();
  return Array.from({ length: list.length / 2 }, (_, at) => [list[2 * at]!.toLowerCase(), list[2 * at + 1]!]);
};
