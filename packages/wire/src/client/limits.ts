const KiB = 1024;
const MiB = 1024 * KiB;

/** What an answer may cost us before we hang up. */
export interface ResponseLimits {
  /** Bytes received on the socket for one answer, framing included; over HTTP/2, its DATA. */
  readonly wireBytes: number;
  /** Bytes of the body after decompression. */
  readonly bodyBytes: number;
  readonly headerBytes: number;
  /** Events of one stream, or gRPC messages. */
  readonly events: number;
  /** Characters of one event, or bytes of one gRPC message. */
  readonly eventSize: number;
  /** How long a stream that was asked for may stay open, in milliseconds. */
  readonly streamMs: number;
}

/** Bytes of a stream that are kept as they came, besides its events: as many as a recording has room for. */
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
  /** Until the connection stands, TLS and proxy included. */
  readonly connect: number;
  /** Without a byte in either direction. */
  readonly idle: number;
  /** For the whole exchange, however lively it is: an answer may come byte by byte. Streams have a limit of their own. */
  readonly total: number;
}

export const defaultTimeouts: Timeouts = { connect: 10_000, idle: 60_000, total: 300_000 };

/** "32 MiB", or the bytes where they are no whole number of them. */
export const sizeText = (bytes: number): string =>
  bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${bytes} bytes on the wire`;
