import type { LargeTurns } from "./large-turns.ts";
import type { Ledger } from "./ledger.ts";
import type { ServerLimits } from "./limits.ts";
import type { Outbox } from "./outbox.ts";
import type { ServedRecorder } from "./served-recorder.ts";

/** What all requests to one server share. */
export interface ServerContext {
  readonly limits: ServerLimits;
  readonly secure: boolean;
  readonly onInternalError: (error: unknown) => void;
  /** The open event streams: counted against the limit, ended by a shutdown. */
  readonly streams: Set<{ shutDown(): void }>;
  readonly outbox: Outbox;
  /** large requests are worked on in turns */
  readonly large: LargeTurns;
  /** where what is on its way in and out is charged */
  readonly ledger: Ledger;
  /** writes down what crosses the server, where that is wanted */
  readonly recorder?: ServedRecorder | undefined;
  /** About to shut down: all is served, and each answer is the last on its connection. */
  retiring: boolean;
  /** Shutting down: whatever is answered now is the last answer on its connection. */
  draining: boolean;
  /** What was at work is over: streams are ended, and no new one opens. */
  ending: boolean;
}
