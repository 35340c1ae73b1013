import { type Procedure, procedureExitCode, procedureHeadline } from "@assay/reporters";
import type { ConformanceReport, Gates } from "@assay/suite/report";
import { type ExitCode, exitCodes } from "../exit.ts";
import { tellNoRun } from "../terminal/closing.ts";
import { escapeText } from "../terminal/escape.ts";
import type { RunView } from "../terminal/live.ts";
import type { Screen } from "../terminal/screen.ts";
import type { TestInvocation } from "./invocation.ts";
import { couldNotBegin } from "./tell.ts";

/** Shows progress without the verdicts on A2A rules, because a run of the procedure has its own results. */
export const procedureView = (view: RunView): RunView => ({
  ...view,
  take: (event) => {
    if (event.event !== "check-finished") view.take(event);
  },
});

/** Shows the results of the procedure, step by step. */
export function tellProcedure(
  procedure: Procedure,
  report: ConformanceReport,
  { people, flags }: Pick<TestInvocation, "people" | "flags">,
): void {
  const isOver = couldNotBegin(report);
  const isEmpty = procedure.rows.every(({ status }) => status === "skip");
  if (!flags.json && !(isOver && isEmpty)) showProcedure(procedure, people);
  if (isOver) tellNoRun(report, people);
}

export function showProcedure(procedure: Procedure, screen: Screen): void {
  const widest = Math.max(...procedure.rows.map(({ test }) => test.length));
  for (const { step, test, status, message = "", recommendation } of procedure.rows) {
    const mark = status === "fail" ? "FAIL" : status;
    screen.line(`${step.padEnd(4)} ${mark}  ${test.padEnd(widest)}  ${escapeText(message)}`.trimEnd());
    if (status === "fail") screen.line(`${" ".repeat(11)}fix: ${escapeText(recommendation)}`);
  }
  screen.line();
  screen.line(procedureHeadline(procedure));
  screen.line("The procedure is stricter than A2A in places. For A2A conformance, run assay test without --procedure.");
}

export function procedureCode(procedure: Procedure, { ending }: ConformanceReport, { failOn }: Gates): ExitCode {
  if (ending === "interrupted") return exitCodes.interrupted;
  const code = procedureExitCode(procedure);
  return code === exitCodes.agent && failOn === "never" ? exitCodes.fine : code;
}
