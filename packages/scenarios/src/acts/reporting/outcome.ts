import type { AppliedRule, Level, SourcePlace, Transport } from "../model.ts";
import { placeText } from "../reading/page.ts";

/** Exactly one of these is said of a test on a binding. */
export type Verdict =
  | "pass"
  | "fail"
  /** not examined, and why */
  | "skip"
  /** the corpus is at fault, not the agent: what the protocol asks for instead is there */
  | "defect"
  /** ours, or the network's */
  | "error";

/** Which agent a test was run on: the one that was named, or one of the second runs. */
export type RunName = "main" | "auth" | "reduced";

export interface TestOutcome {
  readonly id: string;
  readonly name: string;
  readonly level: Level;
  /** its id with the binding in front, as in `rest/CORE-SEND-001` */
  readonly row: string;
  readonly transport: Transport;
  readonly run: RunName;
  readonly verdict: Verdict;
  /** why it was skipped, what is wrong with the corpus, or what went wrong on our side */
  readonly reason?: string;
  readonly failure?: FailureDetail;
  readonly durationMs: number;
  readonly steps: readonly StepOutcome[];
  /** the rules by which the file could be read or run */
  readonly rules: readonly AppliedRule[];
  /** what the test asks for in prose, and whether it was examined */
  readonly notes: readonly string[];
  readonly at: SourcePlace;
  readonly specRef?: string;
}

export interface StepOutcome {
  readonly id: string;
  readonly verdict: "pass" | "fail" | "skip" | "error";
  readonly durationMs: number;
  readonly failure?: FailureDetail;
  /** ids of the exchanges of this step */
  readonly exchanges: readonly string[];
}

/** Why a step failed, with everything needed to see it for oneself. */
export interface FailureDetail {
  readonly step: string;
  readonly message: string;
  /** as in `task.status.state` */
  readonly path?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** the request and the answer, each short enough for a screen */
  readonly sent?: string;
  readonly saw?: string;
  /** further places that differ */
  readonly more: readonly string[];
  readonly exchange?: string;
  /** a line for the shell that shows it again */
  readonly repeat?: string;
  readonly at: SourcePlace;
}

/** What a failure shows, label by label: what was sent, seen and wanted, and where to look. */
export const factsOf = ({
  sent,
  saw,
  expected,
  actual,
  more,
  exchange,
  repeat,
  at,
}: FailureDetail): [string, string][] => [
  ...(sent !== undefined ? ([["sent", sent]] as [string, string][]) : []),
  ...(saw !== undefined ? ([["saw", saw]] as [string, string][]) : []),
  ...(expected !== undefined ? ([["want", expected]] as [string, string][]) : []),
  ...(actual !== undefined && actual !== saw ? ([["got", actual]] as [string, string][]) : []),
  ...more.slice(0, 10).map((each): [string, string] => ["also", each]),
  ["test", placeText(at)],
  ...(repeat !== undefined ? ([["repeat", repeat]] as [string, string][]) : []),
  ...(exchange !== undefined ? ([["see", `exchange ${exchange} of the JSON report`]] as [string, string][]) : []),
];
