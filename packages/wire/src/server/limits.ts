/** How much of us one client may have. Every number can be set; zero never means "no limit" unless it says so. */
export interface ServerLimits {
  readonly bodyBytes: number;
  /** What we read and throw away of a body that is not wanted, so that its sender gets to see our answer. */
  readonly discardBytes: number;
  /** The request line and all headers together. */
  readonly headerBytes: number;
  /** From the first byte (or the connection) to the end of the headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte to the end of the body. */
  readonly requestTimeoutMs: number;
  /** How long a connection may idle between two requests. */
  readonly keepAliveMs: number;
  /** How long a connection we gave up on may keep sending before we close it under its feet. */
  readonly lingerMs: number;
  readonly connections: number;
  /** 0: as many as the client likes. */
  readonly requestsPerConnection: number;
  readonly streams: number;
  /** What one event stream may hold back for a producer that does not wait for `send()`. */
  readonly streamBacklogBytes: number;
  /**
   * Silence after which an event stream says `: keep-alive`, so that no proxy between closes it, nor the client
   * itself: the Python SDK's gives up after five seconds without a byte.
   */
  readonly silenceMs: number;
  /** How long a client may leave what we wrote unread. */
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
