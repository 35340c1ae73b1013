import type { ConformanceReport } from "@assay/suite/report";
import type { AgentClass, ClassReason } from "../classes/agent-class.ts";
import type { BuiltWith } from "../ledger/verdict.ts";
import type { ListedAgent } from "../listing/listed-agent.ts";

/** One agent in one sweep: what a worker is given. It holds no secret. */
export interface FleetJob {
  readonly sweep: string;
  readonly agent: ListedAgent;
  /** what the card was when it was last examined, and when (ms), so that an unchanged one can be left alone */
  readonly before?: { readonly cardDigest: string; readonly at: number };
}

/** The result of examining one agent once. */
export interface Examination {
  readonly class: AgentClass;
  readonly reason: ClassReason;
  /** SHA-256 of the card as it came, in hexadecimal */
  readonly cardDigest?: string;
  /** the card is the same as in `before`, and that examination is recent enough: its verdict is repeated */
  readonly unchanged?: true;
  /** with the exchanges that prove its failures, masked and cut to size */
  readonly report?: ConformanceReport;
  readonly builtWith?: BuiltWith;
  readonly duration_ms: number;
  /** it may be otherwise in a moment: try again, with a pause */
  readonly mayPass: boolean;
}

/** Looks at one agent, in a process of its own; never throws for what the agent does. */
export type Examiner = (job: FleetJob, signal: AbortSignal) => Promise<Examination>;
