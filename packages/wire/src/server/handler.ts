import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { ClientCertificate } from "./client-certificate.ts";

/** What a server built on us is written against: a request to read, a reply to give. */
export type Handler = (request: WireRequest, reply: WireReply) => void | Promise<void>;

export interface WireRequest {
  readonly method: string;
  /** Without query, as received: not decoded. */
  readonly path: string;
  /** Without the `?`; empty when there is none. */
  readonly query: string;
  /** Lower-case names; repeated headers joined as Node does. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as received. */
  readonly rawHeaders: string[];
  readonly remoteAddress: string;
  readonly secure: boolean;
  /** that of the client, where one was asked for and a good one shown */
  readonly certificate: ClientCertificate | undefined;
  /** The authority the client asked for: from an absolute request target, else from `Host`; may be empty. */
  readonly host: string;
  /**
   * The whole body. Rejects with a WireError: `body-too-large`, `body-timeout`, `body-malformed`, `disconnected`.
   * Whatever is answered after that, the connection closes with it.
   */
  body(): Promise<Buffer>;
  /**
   * Aborted when the client goes away before the answer ended. A client that only closes its sending side looks the
   * same at that moment; it still gets the answer of a handler that carries on.
   */
  readonly signal: AbortSignal;
}

export interface WireReply {
  /** One whole answer. Sets Content-Length; HEAD gets the same head and no body. */
  send(status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): void;
  /** Writes the head of an SSE stream, or nothing and throws a WireError: `too-many-streams`, `shutting-down`. */
  events(headers?: Readonly<Record<string, string>>): EventStream;
  /** For deliberate misbehaviour: Node's response and, through it, the socket. */
  readonly raw: ServerResponse;
}

export interface EventStream {
  /**
   * One event; `data` is JSON without line breaks. Returns a promise when the client is behind: await it before
   * sending more. It resolves when the client caught up or is gone, and never rejects.
   */
  send(data: string): Promise<void> | undefined;
  end(): void;
  /** Ended, by whichever side; `send()` does nothing any more. */
  readonly closed: boolean;
  /** Aborted when the stream stopped for another reason than `end()`: client gone, stalled, or server shutting down. */
  readonly signal: AbortSignal;
}
