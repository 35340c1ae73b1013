/**
 * An exchange: one recorded request and its answer, kept in layers so that a rule can name the layer it reads.
 *
 * `transport` is what crossed the socket, `http` what it meant. The layers above (`envelope`, `decoded`) are laid on by
 * those who know the protocol; here they are only carried, and masked, along.
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
  envelope?: unknown;
  decoded?: unknown;
}

/** A request that was read and whose answer is not over: what is known of the exchange that it will be. */
export interface BegunExchange {
  readonly id: string;
  readonly method: string;
  readonly url: string;
}

/**
 * Bytes as on the socket: start lines, header case and chunk framing included; under TLS, as before encryption.
 * HTTP/2 mixes its calls and packs its headers, so there it is the DATA payloads of this one; the header lists, with
 * the fields that begin with a colon, and the trailers stand in `http`.
 */
export interface TransportLayer {
  readonly http2?: true;
  readonly sent: Uint8Array;
  readonly sentTruncated: boolean;
  readonly received: Uint8Array;
  readonly receivedTruncated: boolean;
  /** The connection had carried an earlier request, so the peer may have closed it while it lay idle. */
  readonly reused: boolean;
  /** The proxy that stood between, without its credentials. */
  readonly proxy?: string;
}

/** Header fields in order, with case and duplicates as they crossed the wire. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

export interface HttpLayer {
  readonly request: HttpRequest;
  /** Absent when no answer was understood; `failure` says why, `transport.received` what came instead. */
  readonly response?: HttpResponse;
  /** Present when the answer calls itself `text/event-stream`. */
  readonly sse?: SseRecord;
  /** Present when the answer calls itself `application/grpc`. */
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
  /** A content coding we do not know and therefore left in place. */
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
  /** Events the recording had no room for; they were received and judged. */
  readonly eventsDropped: number;
  readonly comments: number;
  readonly invalidUtf8: boolean;
  /** Data the stream ended on without the blank line that would have made it an event. */
  readonly unfinished?: string;
}

export interface GrpcMessage {
  /** Arrival of its last byte, in milliseconds since the request started. */
  readonly at: number;
  /** Without its five bytes of framing, and decompressed. */
  readonly bytes: Uint8Array;
}

export interface GrpcRecord {
  readonly messages: readonly GrpcMessage[];
  /** Messages the recording had no room for; they were received and judged. */
  readonly messagesDropped: number;
}

/** Milliseconds since `startedAt`; a step that was never reached is absent. */
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

/** Why an exchange has no whole answer. Decisions are made by these; the message beside them is for people. */
export type FailureCode =
  /** The egress guard did not let us go there; nothing was sent. */
  | "refused-by-guard"
  | "dns"
  /** Nothing listens on that port. */
  | "connect-refused"
  /** No way leads there: no route, a firewall, an address that cannot be used. */
  | "unreachable"
  /** The connection was closed in good order before it could carry anything, TLS included. */
  | "closed-at-once"
  | "tls"
  | "proxy"
  | "timeout-connect"
  | "timeout-idle"
  | "timeout-total"
  /** The connection was torn down. */
  | "reset"
  /** The connection was closed in good order, but before the answer was complete. */
  | "closed-early"
  | "malformed"
  | "too-large"
  | "too-many-events"
  /** We hung up: the caller's signal, or a stream that was closed by its reader. */
  | "aborted"
  /** Legal traffic that our client cannot read; never the peer's fault. */
  | "unsupported"
  /** An error of the network or of ours that none of these names. */
  | "unknown";

export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly hint?: string;
}
