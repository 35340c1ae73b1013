import type { FleetLine, ShownAgent, ShownFleet } from "@assay/fleet/view";
import type { MatrixDocument } from "@assay/matrix/view";
import type { ConformanceReport, RunEvent } from "@assay/suite/report";
import type { AgentAccess, RunLine, RunWish, TestbedDocument } from "@assay/viewer/documents";
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
  /** Begins a test, and gives its name at once; throws an ApiError for what makes no sense. */
  test(wish: RunWish, signal: AbortSignal): Promise<StartedRun>;
  /** The way to an agent: its address and login as every command reads them, behind the same egress guard. */
  reach(access: AgentAccess): Promise<AgentWay>;
  /** The built-in test bed; the first call starts it. */
  testbed(): Promise<TestbedDocument>;
  /** Stops everything that was started for the page. */
  close(): Promise<void>;
}

/** The storage of runs: files in `.assay/runs`. */
export interface KeptRuns {
  /** the oldest first */
  list(): readonly string[];
  /** returns the events of a run, or undefined if it does not exist or cannot be read */
  read(run: string): readonly RunEvent[] | undefined;
}

/** Runs over time, including runs without a recording and runs of other machines that share the history. */
export interface KnownRuns {
  /** the newest first */
  list(): Promise<readonly RunLine[]>;
  report(run: string): Promise<ConformanceReport | undefined>;
}

/** Matrix documents: those below `.assay/matrix`, and those that were named. */
export interface KeptMatrices {
  list(): readonly string[];
  /** undefined if there is no matrix of that name, or its document is unreadable */
  read(name: string): MatrixDocument | undefined;
}

/** Fleets that `assay fleet` swept, from the history. */
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
