import type { Settings } from "@assay/library/config";
import type { RunFolder } from "@assay/library/runs";
import type { Reporters, Run } from "@assay/reporters";
import type { TestOptions } from "@assay/suite";
import type { RunEvent } from "@assay/suite/report";
import type { TestFlags } from "../commands/test.ts";
import type { ExitCode } from "../exit.ts";
import type { ReportTarget } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";

/** The engine and reporters of a run; tests pass their own. */
export interface TestDependencies {
  readonly testAgent: (options: TestOptions) => AsyncIterable<RunEvent>;
  readonly reporters: Reporters;
  readonly folder: RunFolder;
}

/** One call of the command; with --watch, it has many runs. */
export interface TestInvocation extends TestDependencies {
  /** its name in assay.yaml, if that has several agents */
  readonly agent?: string;
  readonly settings: Settings;
  readonly flags: TestFlags;
  readonly targets: readonly ReportTarget[];
  readonly screen: Screen;
  /** the screen for people: stderr while stdout belongs to a report */
  readonly people: Screen;
  /** what Assay does not clean up if the run does not end in time (default: tasks on the agent) */
  readonly leaves?: string;
  /** Shows what the run means instead of a conformance report, and returns the exit code. */
  readonly concludes?: (run: Run) => ExitCode;
}
