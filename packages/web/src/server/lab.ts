import type { FleetLine, ShownAgent, ShownFleet } from "@assay/fleet/view";
import type { MatrixDocument } from "@assay/matrix/view";
import type { ConformanceReport, RunEvent } from "@assay/suite/report";
import type {
  AgentAccess,
  GatewayWish,
  OfferedAgent,
  RunLine,
  RunWish,
  TestbedDocument,
} from "@assay/viewer/documents";
import type { AgentWay } from "../api/talk/agent-way.ts";

/**
 * The services that the page needs from the program that serves it. The command line passes the same runner, egress
 * guard, credentials and recordings that `assay test` uses.
 */
export interface Lab {
  readonly version: string;
  readonly runs: KeptRuns;
  /** the runs over time; absent without a history */
  readonly history?: KnownRuns;
  readonly matrices: KeptMatrices;
  /** absent without a history */
  readonly fleets?: KeptFleets;
  /** The agents that the operator named. None of their addresses contains a secret. */
  readonly agents: () => readonly OfferedAgent[];
  /** Starts a test and returns its name at once. Throws an ApiError for invalid options. */
  test(wish: RunWish, signal: AbortSignal): Promise<StartedRun>;
  /** Starts a test of a gateway, and returns like `test`. */
  testGateway(wish: GatewayWish, signal: AbortSignal): Promise<StartedRun>;
  /** Returns the connection to an agent. It reads address and login like every command, with the same egress guard. */
  reach(access: AgentAccess): Promise<AgentWay>;
  /** Returns the built-in test bed; the first call starts it. */
  testbed(): Promise<TestbedDocument>;
  /** Stops everything that the page started. */
  close(): Promise<void>;
}

/** The storage of runs: files in `.assay/runs`. */
export interface KeptRuns {
  /** names of the runs, oldest first */
  list(): readonly string[];
  /** returns the events of a run, or undefined if it does not exist or cannot be read */
  read(run: string): readonly RunEvent[] | undefined;
}

/** Runs over time, including runs without a recording and runs of other machines that share the history. */
export interface KnownRuns {
  /** newest first */
  list(): Promise<readonly RunLine[]>;
  report(run: string): Promise<ConformanceReport | undefined>;
}

/** Matrix documents: those below `.assay/matrix`, and those that the operator named. */
export interface KeptMatrices {
  list(): readonly string[];
  /** undefined if there is no matrix of that name, or its document is unreadable */
  read(name: string): MatrixDocument | undefined;
}

/** The fleets in the history. */
export interface KeptFleets {
  list(): Promise<readonly FleetLine[]>;
  /** its newest finished sweep; undefined if there is no fleet of that name */
  read(fleet: string): Promise<ShownFleet | undefined>;
  agent(fleet: string, agent: string): Promise<ShownAgent | undefined>;
}

export interface StartedRun {
  readonly run: string;
  /** masked, and saved before the page receives them */
  readonly events: AsyncIterable<RunEvent>;
}
