import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { ClientCertificate } from "./client-certificate.ts";

/** The interface of a server application: a request to read, a reply to send. */
export type Handler = (request: WireRequest, reply: WireReply) => void | Promise<void>;

export interface WireRequest {
  readonly method: string;
  /** Without the query, not decoded. */
  readonly path: string;
  /** Without the `?`; empty if there is none. */
  readonly query: string;
  /** Lower-case names; repeated headers joined as Node does. */
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values, as received. */
  readonly rawHeaders: string[];
  readonly remoteAddress: string;
  readonly secure: boolean;
  /** the client's certificate, if one was requested and is valid */
  readonly certificate: ClientCertificate | undefined;
  /** The requested authority, from an absolute request target or from `Host`; may be empty. */
  readonly host: string;
  /**
   * Returns the whole body. Rejects with a WireError: `body-too-large`, `body-timeout`, `body-malformed`,
   * `disconnected`. After that, the connection closes with the response.
   */
  body(): Promise<Buffer>;
  /**
   * Aborted if the client disconnects before the response ended. A client that only closes its sending side looks the
   * same at that moment; it still gets the response if the handler continues.
   */
  readonly signal: AbortSignal;
  /** The same as `signal`, but cheaper: Node takes microseconds to create an AbortSignal. */
  readonly departure: StopSignal;
}

/** The part of an AbortSignal that a reader of events needs. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface WireReply {
  /** Sends one whole response. Sets Content-Length; HEAD gets the same head and no body. */
  send(status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): void;
  /** Writes the head of an SSE stream, or throws a WireError: `too-many-streams`, `shutting-down`. */
  events(headers?: Readonly<Record<string, string>>): EventStream;
  /** Node's response and its socket, for deliberate misbehaviour. */
  readonly raw: ServerResponse;
}

export interface EventStream {
  /**
   * Sends one event; `data` is JSON without line breaks. Returns a promise if the client is slow: await it before
   * sending more. It resolves when the client caught up or disconnected, and never rejects.
   */
  send(data: string): Promise<void> | undefined;
  end(): void;
  /** Ended by either side; `send()` then does nothing. */
  readonly closed: boolean;
  /** Aborted if the stream stopped other than by `end()`: client disconnected, stalled, or server shutting down. */
  readonly signal: AbortSignal;
}
