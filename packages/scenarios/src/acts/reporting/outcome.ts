import type { AppliedRule, Level, SourcePlace, Transport } from "../model.ts";
import { placeText } from "../reading/page.ts";

/** The verdict of a test on a binding. */
export type Verdict =
  | "pass"
  | "fail"
  /** not examined, with a reason */
  | "skip"
  /** the corpus is at fault, not the agent, which does what the protocol requires instead */
  | "defect"
  /** internal or network error */
  | "error";

/** The agent of a test: the main one, or that of a second run. */
export type RunName = "main" | "auth" | "reduced";

export interface TestOutcome {
  readonly id: string;
  readonly name: string;
  readonly level: Level;
  /** its id with the binding in front, such as `rest/CORE-SEND-001` */
  readonly row: string;
  readonly transport: Transport;
  readonly run: RunName;
  readonly verdict: Verdict;
  /** why it was skipped, the defect of the corpus, or the error */
  readonly reason?: string;
  readonly failure?: FailureDetail;
  readonly durationMs: number;
  readonly steps: readonly StepOutcome[];
  /** the rules that interpreted the file */
  readonly rules: readonly AppliedRule[];
  /** notes on requirements in the test's prose */
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

/** A failed step, with everything needed to reproduce it. */
export interface FailureDetail {
  readonly step: string;
  readonly message: string;
  /** such as `task.status.state` */
  readonly path?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** the request and the response, each short enough for a screen */
  readonly sent?: string;
  readonly saw?: string;
  /** further places that differ */
  readonly more: readonly string[];
  readonly exchange?: string;
  /** a shell command that repeats it */
  readonly repeat?: string;
  readonly at: SourcePlace;
}

/** Returns the labelled facts of a failure: what was sent, seen and wanted, and where to look. */
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
