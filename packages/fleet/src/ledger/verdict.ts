import type { ConformanceLevel, ConformanceOutcome, ConformanceReport } from "@assay/suite/report";
import type { AgentClass, ClassReason } from "../classes/agent-class.ts";
import type { FleetJob } from "../examining/examination.ts";

/** The SDK or framework that an agent is built with, and the evidence. */
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
  /** number of examined rules, of those that apply */
  readonly examined?: { readonly rules: number; readonly of: number };
  /** ids of the broken rules, without contested ones and those of versions that the agent does not claim */
  readonly broken?: readonly string[];
  /** the name of the run with its report in the history; absent without a run, or after its evidence was deleted */
  readonly run?: string;
  /** repeats the previous verdict and names its run: the card is unchanged and was tested recently, or --only excluded it */
  readonly unchanged?: true;
  /** for a repeated verdict: when the agent was examined, ISO 8601 */
  readonly examinedAt?: string;
  readonly cardDigest?: string;
  /** known from headers or the card */
  readonly builtWith?: BuiltWith;
  /** number of attempts, including the last one */
  readonly attempts: number;
  /** ISO 8601 */
  readonly at: string;
  readonly duration_ms: number;
  readonly worker: string;
}

/** One round through a list of agents. */
export interface Sweep {
  readonly sweep: string;
  /** the name of the fleet; sweeps of one fleet are compared with each other */
  readonly fleet: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly agents: number;
}

/** Stores sweeps and verdicts next to the runs, in the history store (SQLite or PostgreSQL). */
export interface FleetLedger {
  /** Opens a sweep. If it is already open, it continues with the current number of agents. */
  begin(sweep: Sweep): Promise<void>;
  /** Closes a sweep. Deletes its jobs, and those of earlier sweeps of this fleet that were never finished. */
  end(sweep: string, at: string): Promise<void>;
  /** Saves the jobs of a sweep for workers that share this ledger, and replaces earlier ones. */
  plan(sweep: string, jobs: readonly FleetJob[]): Promise<void>;
  /** Returns the job of an agent in a sweep; undefined if it was not planned or the sweep is over. */
  job(sweep: string, agent: string): Promise<FleetJob | undefined>;
  /** Saves the verdict with its report. Returns false if this agent already has one in this sweep; the first one stays. */
  settle(verdict: FleetVerdict, report?: ConformanceReport): Promise<boolean>;
  /** Returns true if this agent has a verdict in this sweep. */
  isSettled(sweep: string, agent: string): Promise<boolean>;
  /** Returns the newest verdict on an agent of the same fleet in another sweep. */
  previous(sweep: string, agent: string): Promise<FleetVerdict | undefined>;
  /** Returns the agents that have no verdict in this sweep yet. */
  unsettled(sweep: string, agents: readonly string[]): Promise<string[]>;
  /** Returns the number of agents with a verdict in this sweep. */
  settled(sweep: string): Promise<number>;
  /** Returns the sweeps, newest first. */
  sweeps(fleet?: string): Promise<Sweep[]>;
  verdicts(sweep: string): Promise<FleetVerdict[]>;
  /**
   * Returns the newest verdict of each agent of a fleet, optionally before a given sweep. A finished sweep has a verdict
   * for every listed agent, so older verdicts belong to agents that are no longer listed.
   */
  latest(fleet: string, before?: string): Promise<FleetVerdict[]>;
  /** Returns the verdicts on one agent, newest first. */
  agent(fleet: string, agent: string, limit?: number): Promise<FleetVerdict[]>;
  /** Returns the report of a run that a verdict names. */
  report(run: string): Promise<ConformanceReport | undefined>;
  /** Deletes evidence older than this time (ISO 8601) but no verdicts. Returns the number of runs. */
  forgetEvidence(before: string): Promise<number>;
  close(): Promise<void>;
}
