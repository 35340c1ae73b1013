/** Limits per client. All are configurable; zero means "no limit" only where stated. */
export interface ServerLimits {
  readonly bodyBytes: number;
  /** Bytes of an unwanted body that are read and discarded, so that its sender sees the response. */
  readonly discardBytes: number;
  /** The request line and all headers together. */
  readonly headerBytes: number;
  /** From the first byte (or the connection) to the end of the headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte to the end of the body. */
  readonly requestTimeoutMs: number;
  /** Idle time of a connection between two requests. */
  readonly keepAliveMs: number;
  /** Time that a rejected connection may keep sending before it is closed. */
  readonly lingerMs: number;
  readonly connections: number;
  /** 0: unlimited. */
  readonly requestsPerConnection: number;
  readonly streams: number;
  /** Buffer of one event stream for a producer that does not await `send()`. */
  readonly streamBacklogBytes: number;
  /**
   * Silence after which an event stream sends `: keep-alive`, so that neither a proxy nor the client closes it: the
   * Python SDK gives up after five seconds without a byte.
   */
  readonly silenceMs: number;
  /** Maximum time that a client may leave data unread. */
  readonly stalledMs: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;

export const defaultLimits: ServerLimits = {
  bodyBytes: 10 * MiB,
  discardBytes: MiB,
  headerBytes: 16 * KiB,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  keepAliveMs: 15_000,
  lingerMs: 1_000,
  connections: 2_000,
  requestsPerConnection: 0,
  streams: 1_000,
  streamBacklogBytes: 8 * MiB,
  silenceMs: 4_000,
  stalledMs: 30_000,
};
