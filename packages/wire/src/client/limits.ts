const KiB = 1024;
const MiB = 1024 * KiB;

/** Limits of a response. The client disconnects if one is exceeded. */
export interface ResponseLimits {
  /** Bytes received on the socket for one response, including framing; over HTTP/2, its DATA. */
  readonly wireBytes: number;
  /** Bytes of the body after decompression. */
  readonly bodyBytes: number;
  readonly headerBytes: number;
  /** Events of one stream, or gRPC messages. */
  readonly events: number;
  /** Characters of one event, or bytes of one gRPC message. */
  readonly eventSize: number;
  /** Maximum time that a requested stream may stay open, in milliseconds. */
  readonly streamMs: number;
}

/** Bytes of a stream that are kept besides its events: the size limit of a recording. */
export const streamBodyBytes = 4 * MiB;

export const defaultLimits: ResponseLimits = {
  wireBytes: 32 * MiB,
  bodyBytes: 32 * MiB,
  headerBytes: 64 * KiB,
  events: 20_000,
  eventSize: 4 * MiB,
  streamMs: 600_000,
};

/** Milliseconds. */
export interface Timeouts {
  /** Until the connection is established, including TLS and proxy. */
  readonly connect: number;
  /** Without a byte in either direction. */
  readonly idle: number;
  /** For the whole exchange, even if bytes keep arriving. Streams have their own limit. */
  readonly total: number;
}

export const defaultTimeouts: Timeouts = { connect: 10_000, idle: 60_000, total: 300_000 };

/** Returns "32 MiB", or bytes if it is not a whole number of MiB. */
export const sizeText = (bytes: number): string =>
  bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${bytes} bytes on the wire`;
