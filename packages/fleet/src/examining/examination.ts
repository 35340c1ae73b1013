import type { ConformanceReport } from "@assay/suite/report";
import type { AgentClass, ClassReason } from "../classes/agent-class.ts";
import type { BuiltWith } from "../ledger/verdict.ts";
import type { ListedAgent } from "../listing/listed-agent.ts";

/** The job to examine one agent in one sweep. It contains no secret. */
export interface FleetJob {
  readonly sweep: string;
  readonly agent: ListedAgent;
  /** the digest of the card at the last examination, and its time (ms), to skip an agent whose card is unchanged */
  readonly before?: { readonly cardDigest: string; readonly at: number };
}

/** The result of examining one agent once. */
export interface Examination {
  readonly class: AgentClass;
  readonly reason: ClassReason;
  /** SHA-256 of the card as received, in hexadecimal */
  readonly cardDigest?: string;
  /** the card is the same as in `before` and that examination is recent enough, so its verdict is repeated */
  readonly unchanged?: true;
  /** contains the exchanges that prove its failures, masked and shortened */
  readonly report?: ConformanceReport;
  readonly builtWith?: BuiltWith;
  readonly duration_ms: number;
  /** the problem may be temporary, so the agent should be tried again after a pause */
  readonly mayPass: boolean;
}

/** Examines one agent in a separate process. Never throws because of the agent. */
export type Examiner = (job: FleetJob, signal: AbortSignal) => Promise<Examination>;
