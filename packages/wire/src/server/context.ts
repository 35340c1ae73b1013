import type { LargeTurns } from "./large-turns.ts";
import type { Ledger } from "./ledger.ts";
import type { ServerLimits } from "./limits.ts";
import type { OpenStreams } from "./open-streams.ts";
import type { Outbox } from "./outbox.ts";
import type { ServedRecorder } from "./served-recorder.ts";

/** State shared by all requests to one server. */
export interface ServerContext {
  readonly limits: ServerLimits;
  readonly secure: boolean;
  readonly onInternalError: (error: unknown) => void;
  /** The open event streams: counted against the limit, kept alive, ended on shutdown. */
  readonly streams: OpenStreams;
  readonly outbox: Outbox;
  /** queues large requests */
  readonly large: LargeTurns;
  /** counts bytes in transit */
  readonly ledger: Ledger;
  /** records traffic, if wanted */
  readonly recorder?: ServedRecorder | undefined;
  /** Shutdown is planned: requests are served, and each response is the last on its connection. */
  retiring: boolean;
  /** Shutting down: every response is the last on its connection. */
  draining: boolean;
  /** Running work is finished: streams are ended, and no new one opens. */
  ending: boolean;
}
