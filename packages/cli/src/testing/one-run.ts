import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judgeBaseline } from "@assay/library/config";
import { findRun, keptRuns, openRecord, type RunRecord, readReport } from "@assay/library/runs";
import { StartedAgent } from "@assay/library/started-agent";
import type { Reporters, ReportFormat, Run } from "@assay/reporters";
import { type BusyWait, smallHeap } from "@assay/suite";
import { type ConformanceReport, exitCodeOf, foldRun, type Gates, type RunEvent } from "@assay/suite/report";
import { createMasker } from "@assay/wire";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { checkHistory, keepInHistory, takeIn } from "../recorded/run-history.ts";
import { type ReportOutlets, writeReports } from "../report-targets.ts";
import { interruptible } from "../shutdown/interruption.ts";
import { tellNoRun } from "../terminal/closing.ts";
import { escapeText } from "../terminal/escape.ts";
import { createLiveView, type RunView } from "../terminal/live.ts";
import { createPlainView } from "../terminal/plain.ts";
import type { Screen } from "../terminal/screen.ts";
import type { TestInvocation } from "./invocation.ts";
import { updateBaseline } from "./known-failures.ts";
import { procedureCode, procedureView, tellProcedure } from "./procedure.ts";
import { knownOf } from "./run-to-resume.ts";
import { complainAbout, couldNotBegin, gatesOf, tell, tellClosing } from "./tell.ts";
import { withPeer } from "./with-peer.ts";

/**
 * Saves a run whose report could not be written and that has no recording. It writes a temporary file, from which every
 * report can be made. If that fails too, it prints the reports to stdout, or to stderr if stdout has another report.
 */
export function rescue(
  run: Run,
  formats: readonly ReportFormat[],
  reporters: Reporters,
  { complain, write }: Pick<Screen, "complain" | "write">,
  folder = tmpdir(),
): void {
  try {
    const file = join(mkdtempSync(join(folder, "assay-")), `${run.report.run}.ndjson`);
    writeFileSync(file, reporters.ndjson(run), { mode: 0o600 });
    complain(`The run is saved in ${file}. Write reports from it: assay report ${file} --report junit=<file>`);
  } catch {
    for (const format of formats) {
      complain(`Cannot save the run in ${folder} either. The ${format} report follows.`);
      write(reporters[format](run));
    }
  }
}

/** The outcome of one run. */
export interface RunOutcome {
  readonly code: ExitCode;
  readonly report: ConformanceReport | undefined;
  /** the card to watch for changes */
  readonly cardUrl: string | undefined;
}

/** Tests the agent once: starts it if necessary, shows and records the run, and writes the reports. */
export async function testOnce(invocation: TestInvocation, before?: ConformanceReport): Promise<RunOutcome> {
  const { settings, flags, people } = invocation;
  const { start, url, config } = settings;
  // Show a command from a file before running it.
  if (start && flags.start === undefined && !flags.json) people.line(`start: ${start.command} (${config})`);
  const unfinished = new Set([invocation.leaves ?? "tasks that Assay started on the agent", "the report"]);
  const view = viewFor(invocation);
  const interruption = interruptible(people, {
    timeout: flags.shutdownTimeout,
    onStop: () => view.say("Stopping and cleaning up. Press Ctrl-C again to stop at once."),
    onForced: () => view.end(),
    unfinished: () => [...unfinished],
  });
  try {
    const started = start && (await StartedAgent.start(start.command, url, start.folder));
    try {
      const outcome = await testWith(invocation, { started, view, signal: interruption.signal }, before);
      return interruption.signal.aborted ? { ...outcome, code: exitCodes.interrupted } : outcome;
    } finally {
      unfinished.clear();
      if (started) unfinished.add("the agent that --start started (killed)");
      await started?.end();
    }
  } finally {
    interruption.release();
  }
}

/** The resources of a run, released at its end. */
interface Stage {
  readonly started: StartedAgent | undefined;
  readonly view: RunView;
  /** aborts with the first signal to stop */
  readonly signal: AbortSignal;
}

async function testWith(invocation: TestInvocation, stage: Stage, watched?: ConformanceReport): Promise<RunOutcome> {
  const { settings, flags, people } = invocation;
  // Read it before this run is recorded, because this run would then be the last one.
  const before = watched ?? baseOf(invocation);
  const { started } = stage;
  // An unavailable history is a usage error, so check it before contacting the agent.
  if (flags.history !== undefined) await checkHistory(flags.history);
  const record = flags.record === false ? undefined : recordOf(invocation);
  const events: RunEvent[] = [];
  const death = await play(invocation, stage, record, events);
  if (record?.trouble !== undefined) people.complain(`warning: ${record.file} is incomplete: ${record.trouble}`);
  if (death.length || !events.length) {
    if (record) rmSync(record.file, { force: true });
    for (const line of death) people.complain(line);
    return { code: exitCodes.usage, report: undefined, cardUrl: undefined };
  }
  const { agent } = invocation;
  const run = { events, report: foldRun(events), ...(agent !== undefined && { agent }) };
  const keeps = record !== undefined && record.trouble === undefined && hasResults(run);
  if (record && !hasResults(run)) rmSync(record.file, { force: true });
  const files = keeps ? besides(invocation, record, run) : [];
  const procedure = flags.procedure ? await import("@assay/reporters") : undefined;
  const reporters = procedure ? { ...invocation.reporters, ...procedure.procedureReporters } : invocation.reporters;
  if (invocation.concludes) {
    if (keeps) await letGo(invocation);
    return { code: concluded(invocation, run), report: run.report, cardUrl: run.report.cardUrl };
  }
  const unwritten = writeReports(invocation.targets, reporters, run, outletsOf(invocation));
  const outcome = judgeBaseline(run.report, settings.baseline);
  const byProcedure = procedure?.procedureOf(run);
  if (byProcedure) tellProcedure(byProcedure, run.report, invocation);
  else tell(invocation, run, outcome, before);
  if (hasResults(run) && !flags.json && !byProcedure) {
    const asked = invocation.targets.flatMap(({ file }) => file ?? []);
    const failed = new Set(unwritten.map(({ file }) => file));
    const shown = [...files, ...asked.filter((file) => !failed.has(file))];
    tellClosing(invocation, run.report, shown, keeps);
  }
  for (const line of started?.obituary() ?? []) people.complain(line);
  complainAbout(unwritten, keeps ? record.file : undefined, people);
  if (unwritten.length && !keeps && hasResults(run)) {
    const lost = unwritten.map(({ format }) => format);
    rescue(run, lost, reporters, people);
  }
  if (keeps) await letGo(invocation);
  if (hasResults(run) && flags.history !== undefined) await takeIn(run.report, flags.history);
  const judged = byProcedure
    ? procedureCode(byProcedure, run.report, settings.gates)
    : codeOf(invocation, run.report, gatesOf(settings, outcome, run.report, before));
  const code = unwritten.length ? exitCodes.ours : judged;
  return { code, report: run.report, cardUrl: run.report.cardUrl };
}

/** Returns the findings that --fail-on new compares the run with. */
function baseOf({ settings, flags, folder }: TestInvocation): ConformanceReport | undefined {
  if (flags.since !== undefined) return readReport(findRun(flags.since, folder));
  if (settings.gates.failOn !== "new") return undefined;
  return knownOf(createMasker(settings.options.secrets ?? []).text(settings.url), folder);
}

/** Returns the exit code. A run that could not start is always reported as such. */
function concluded({ concludes, people }: TestInvocation, run: Run): ExitCode {
  if (couldNotBegin(run.report)) {
    tellNoRun(run.report, people);
    return exitCodes.usage;
  }
  return concludes!(run);
}

/** Adds runs to the history before their recordings are deleted. */
async function letGo({ folder, flags: { keep = keptRuns } }: TestInvocation): Promise<void> {
  if (folder.list().length <= keep) return;
  await keepInHistory(folder);
  folder.prune(keep);
}

/** Runs the test and shows it. Returns lines if the agent that Assay started died before the test could start. */
async function play(
  { settings, flags, people, testAgent }: TestInvocation,
  { started, view, signal: stopped }: Stage,
  record: RunRecord | undefined,
  events: RunEvent[],
): Promise<string[]> {
  const death = new AbortController();
  void started?.failed.then(() => death.abort());
  const signal = AbortSignal.any([stopped, death.signal]);
  try {
    const tested = testAgent({
      ...settings.options,
      run: runName(record),
      signal,
      onWait: (wait) => view.say(waitText(wait)),
      ...(started && { process: started }),
    });
    const { peer } = settings;
    const keepSmall = smallHeap();
    for await (const event of peer ? withPeer(tested, { settings, peer, signal }) : tested) {
      keepSmall(event);
      record?.add(event);
      events.push(event);
      view.take(event);
      if (event.event !== "agent-found") continue;
      // If this run is interrupted, other users of the history still see that it happened.
      if (flags.history !== undefined) await takeIn(foldRun(events), flags.history);
    }
  } catch (error) {
    if (record && !events.length) rmSync(record.file, { force: true });
    if (error instanceof UsageError) throw error;
    if (record && events.length)
      people.complain(`The results so far are in ${record.file}. Run assay report last to see them.`);
    throw error;
  } finally {
    view.end();
    record?.close();
  }
  return death.signal.aborted ? (started?.obituary() ?? []) : [];
}

/** Returns "HTTP 429, Retry-After: 60: the agent rejects requests. Assay waits 60 s (at most 180 s in total)." */
function waitText({ ms, mostMs, status, retryAfter }: BusyWait): string {
  const what = status === undefined ? "UNAVAILABLE" : `HTTP ${status}`;
  const asks = retryAfter === undefined ? "" : `, Retry-After: ${escapeText(retryAfter.slice(0, 40))}`;
  return `${what}${asks}: the agent rejects requests. Assay waits ${Math.ceil(ms / 1000)} s (at most ${mostMs / 1000} s in total).`;
}

/** Returns the view: silent for machines, live for terminals, lines for logs. */
function viewFor({ flags: { json, procedure }, people, concludes }: TestInvocation): RunView {
  if (json) return { take() {}, say() {}, end() {} };
  if (people.canRepaint) return createLiveView(people);
  return procedure || concludes ? procedureView(createPlainView(people)) : createPlainView(people);
}

const recordOf = ({ folder, people }: TestInvocation): RunRecord | undefined =>
  openRecord(folder, (because) => {
    people.complain(`warning: cannot record this run: ${because}.`);
    return undefined;
  });

/** Returns the name of the run's file. A run without a file is named after its start time. */
const runName = (record: RunRecord | undefined): string =>
  record ? record.file.replace(/^.*[\\/]|\.ndjson$/g, "") : new Date().toISOString().slice(0, 19).replaceAll(":", "-");

const hasResults = ({ events }: Run): boolean => events.some(({ event }) => event === "check-finished");

const outletsOf = ({ screen, people }: TestInvocation): ReportOutlets => ({
  output: screen,
  log: people,
  stepSummary: process.env["GITHUB_STEP_SUMMARY"],
});

/** Writes the HTML report that every recorded run gets. */
function besides(invocation: TestInvocation, record: RunRecord, run: Run): string[] {
  const { reporters, people } = invocation;
  const file = record.file.replace(/ndjson$/, "html");
  const [unwritten] = writeReports([{ format: "html", file, isPrivate: true }], reporters, run, outletsOf(invocation));
  if (unwritten) people.complain(`warning: cannot write ${file} (${unwritten.because}).`);
  return unwritten ? [record.file] : [file];
}

function codeOf({ settings, flags, people }: TestInvocation, report: ConformanceReport, gates: Gates): ExitCode {
  const code = exitCodeOf(report, gates);
  if (flags.baselineUpdate && report.ending === "done") {
    people.line(updateBaseline(report, settings));
    return code === exitCodes.ours ? code : exitCodes.fine;
  }
  return code;
}
