/**
 * An exchange: one recorded request and its response, in layers, so that a rule can name the layer it reads.
 *
 * `transport` holds the bytes on the socket, `http` their meaning. Code that knows the protocol adds `envelope` and
 * `decoded`; here they are only stored and masked.
 */
export interface Exchange {
  readonly id: string;
  /** The exchange whose redirect this one follows. */
  readonly follows?: string;
  readonly transport: TransportLayer;
  readonly http: HttpLayer;
  readonly timing: Timing;
  readonly remote?: Remote;
  readonly failure?: Failure;
  /** The faults that Assay injected on purpose: the exchange proves nothing about either side. */
  readonly faults?: readonly string[];
  envelope?: unknown;
  decoded?: unknown;
}

/** A request whose response is not complete: the known part of its exchange. */
export interface BegunExchange {
  readonly id: string;
  readonly method: string;
  readonly url: string;
}

/**
 * Bytes as on the socket, including start lines, header case and chunk framing; under TLS, before encryption. HTTP/2
 * mixes calls and compresses headers, so there it holds the DATA payloads of this call. Header lists, including
 * pseudo-headers, and trailers are in `http`.
 */
export interface TransportLayer {
  readonly http2?: true;
  readonly sent: Uint8Array;
  readonly sentTruncated: boolean;
  readonly received: Uint8Array;
  readonly receivedTruncated: boolean;
  /** The connection had carried an earlier request, so the peer may have closed it while it was idle. */
  readonly reused: boolean;
  /** The proxy in between, without its credentials. */
  readonly proxy?: string;
}

/** Headers in order, with case and duplicates as on the wire. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

export interface HttpLayer {
  readonly request: HttpRequest;
  /** Missing if no response was readable; see `failure` and `transport.received`. */
  readonly response?: HttpResponse;
  /** Set if the response is `text/event-stream`. */
  readonly sse?: SseRecord;
  /** Set if the response is `application/grpc`. */
  readonly grpc?: GrpcRecord;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
  readonly bodyTruncated: boolean;
}

export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderPairs;
}

export interface HttpResponse extends ResponseHead {
  readonly trailers: HeaderPairs;
  /** Decompressed. */
  readonly body: Uint8Array;
  readonly bodyTruncated: boolean;
  /** An unknown content coding, which was not decoded. */
  readonly undecoded?: string;
}

export interface SseEvent {
  /** Arrival, in milliseconds since the request started. */
  readonly at: number;
  readonly event?: string;
  readonly id?: string;
  readonly data: string;
}

export interface SseRecord {
  readonly events: readonly SseEvent[];
  /** Events that did not fit into the recording; they were received and judged. */
  readonly eventsDropped: number;
  readonly comments: number;
  readonly invalidUtf8: boolean;
  /** Data at the end of the stream without the blank line that completes an event. */
  readonly unfinished?: string;
}

export interface GrpcMessage {
  /** Arrival of its last byte, in milliseconds since the request started. */
  readonly at: number;
  /** Without the five framing bytes, decompressed. */
  readonly bytes: Uint8Array;
}

export interface GrpcRecord {
  readonly messages: readonly GrpcMessage[];
  /** Messages that did not fit into the recording; they were received and judged. */
  readonly messagesDropped: number;
}

/** Milliseconds since `startedAt`; steps that were not reached are missing. */
export interface Timing {
  readonly startedAt: string;
  readonly connected?: number;
  readonly requestSent?: number;
  readonly firstByte?: number;
  readonly end: number;
}

export interface Remote {
  readonly address: string;
  readonly port: number;
}

/** Reasons why an exchange has no complete response. Code decides by these; the message is for people. */
export type FailureCode =
  /** The egress guard blocked the host; nothing was sent. */
  | "refused-by-guard"
  | "dns"
  /** No server listens on the port. */
  | "connect-refused"
  /** No route, a firewall, or an unusable address. */
  | "unreachable"
  /** The connection was closed cleanly before it could be used, including TLS. */
  | "closed-at-once"
  | "tls"
  | "proxy"
  | "timeout-connect"
  | "timeout-idle"
  | "timeout-total"
  /** The connection was reset. */
  | "reset"
  /** The connection was closed cleanly before the response was complete. */
  | "closed-early"
  | "malformed"
  | "too-large"
  | "too-many-events"
  /** We hung up: the caller's signal aborted, or the reader closed the stream. */
  | "aborted"
  /** Valid traffic that our client cannot read; never the peer's fault. */
  | "unsupported"
  /** Any other network error or internal error. */
  | "unknown";

export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly hint?: string;
}
