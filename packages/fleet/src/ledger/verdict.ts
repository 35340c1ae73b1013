import type { ConformanceLevel, ConformanceOutcome, ConformanceReport } from "@assay/suite/report";
import type { AgentClass, ClassReason } from "../classes/agent-class.ts";
import type { FleetJob } from "../examining/examination.ts";

/** The SDK or framework that an agent is built with, and how we know. */
export interface BuiltWith {
  readonly name: string;
  readonly because: string;
}

/** The final verdict of a sweep on one agent. Each agent of a sweep has exactly one. */
export interface FleetVerdict {
  readonly sweep: string;
  readonly agent: string;
  readonly url: string;
  readonly labels: readonly string[];
  readonly class: AgentClass;
  readonly reason: ClassReason;
  readonly outcome?: ConformanceOutcome;
  readonly level?: ConformanceLevel | null;
  /** rules examined, of those that apply */
  readonly examined?: { readonly rules: number; readonly of: number };
  /** the rules that it breaks, by id; none that is contested, and none of a version that it does not claim */
  readonly broken?: readonly string[];
  /** the name of the run in the history, with its report; absent where there was none, or its evidence was let go of */
  readonly run?: string;
  /** repeats the previous verdict and names its run: the card is unchanged and was tested recently, or --only excluded it */
  readonly unchanged?: true;
  /** of one that is repeated: when the agent was examined, ISO 8601 */
  readonly examinedAt?: string;
  readonly cardDigest?: string;
  /** where headers or the card tell it */
  readonly builtWith?: BuiltWith;
  /** times it was tried, the last one included */
  readonly attempts: number;
  /** ISO 8601 */
  readonly at: string;
  readonly duration_ms: number;
  readonly worker: string;
}

/** One round through a list of agents. */
export interface Sweep {
  readonly sweep: string;
  /** whose list it is: sweeps of one fleet are compared with each other */
  readonly fleet: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly agents: number;
}

/** Where sweeps and verdicts are kept: beside the runs, in the history store (SQLite or PostgreSQL). */
export interface FleetLedger {
  /** Opens a sweep. If it is already open, it continues with the current number of agents. */
  begin(sweep: Sweep): Promise<void>;
  /** Closes a sweep. Its jobs go with it, and those of sweeps of this fleet that began earlier and were given up. */
  end(sweep: string, at: string): Promise<void>;
  /** Keeps the jobs of a sweep for workers that share this ledger, in place of those it had. */
  plan(sweep: string, jobs: readonly FleetJob[]): Promise<void>;
  /** The job of an agent in a sweep; undefined for one that was not planned, or whose sweep is over. */
  job(sweep: string, agent: string): Promise<FleetJob | undefined>;
  /** Saves the verdict with its report. Returns false if this agent already has one in this sweep; the first one stays. */
  settle(verdict: FleetVerdict, report?: ConformanceReport): Promise<boolean>;
  /** Whether this agent has its verdict in this sweep. */
  isSettled(sweep: string, agent: string): Promise<boolean>;
  /** The newest verdict on an agent of the same fleet in another sweep. */
  previous(sweep: string, agent: string): Promise<FleetVerdict | undefined>;
  /** Which of these agents have no verdict in this sweep yet. */
  unsettled(sweep: string, agents: readonly string[]): Promise<string[]>;
  /** How many agents have a verdict in this sweep. */
  settled(sweep: string): Promise<number>;
  /** The newest first. */
  sweeps(fleet?: string): Promise<Sweep[]>;
  verdicts(sweep: string): Promise<FleetVerdict[]>;
  /**
   * Returns the newest verdict of each agent of a fleet, optionally before a given sweep. A finished sweep has a verdict
   * for every listed agent, so older verdicts belong to agents that are no longer listed.
   */
  latest(fleet: string, before?: string): Promise<FleetVerdict[]>;
  /** The verdicts on one agent, the newest first. */
  agent(fleet: string, agent: string, limit?: number): Promise<FleetVerdict[]>;
  /** The report of a run that a verdict names. */
  report(run: string): Promise<ConformanceReport | undefined>;
  /** Lets go of evidence that is older than this time, ISO 8601: verdicts stay. Says of how many runs. */
  forgetEvidence(before: string): Promise<number>;
  close(): Promise<void>;
}
