import type { ConformanceLevel, ConformanceOutcome, ConformanceReport } from "@assay/suite/report";
import type { AgentClass, ClassReason } from "../classes/agent-class.ts";

/** What a sweep says about one agent, finally: a sweep and an agent have exactly one. */
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
  /** the name of the run in the history, with its report */
  readonly run?: string;
  readonly cardDigest?: string;
  /** the SDK or framework it is built with, where headers or the card tell it, and how we know */
  readonly builtWith?: { readonly name: string; readonly because: string };
  /** times it was tried, the last one included */
  readonly attempts: number;
  /** ISO 8601 */
  readonly at: string;
  readonly duration_ms: number;
  readonly worker: string;
}

/** One pass over a list of agents. */
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
  begin(sweep: Sweep): Promise<void>;
  end(sweep: string, at: string): Promise<void>;
  /** Keeps the verdict, unless this agent has one in this sweep already: false says so, and the first one stands. */
  settle(verdict: FleetVerdict, report?: ConformanceReport): Promise<boolean>;
  sweeps(fleet?: string): Promise<Sweep[]>;
  verdicts(sweep: string): Promise<FleetVerdict[]>;
  /** The newest verdict of each agent of a fleet, before a sweep where one is named. */
  latest(fleet: string, before?: string): Promise<FleetVerdict[]>;
  /** The verdicts on one agent, the newest first. */
  agent(fleet: string, agent: string, limit?: number): Promise<FleetVerdict[]>;
  close(): Promise<void>;
}
