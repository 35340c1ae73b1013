import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { withoutLogin } from "@assay/library/connection";
import { findRun, RunFolder, readRun, reasonOf } from "@assay/library/runs";
import { readSecret, type SecretValue } from "@assay/library/secrets";
import { version } from "@assay/library/version";
import { didYouMean, fitsGlob } from "@assay/protocol";
import {
  type ActsFile,
  ActsMistakes,
  type ActsReport,
  bindingOf,
  outcomesOf,
  placeText,
  readBehaviours,
  readCorpus,
  reportOf,
  runCorpus,
  Table,
  type Test,
  type Transport,
} from "@assay/scenarios";
import type { ConformanceResult, HarEntry, RunEvent } from "@assay/suite/report";
import { createMasker } from "@assay/wire";
import { actsDirections } from "../acts/directions.ts";
import { scenariosFromRun } from "../acts/from-run.ts";
import { actsTargetsOf, writeActsReports } from "../acts/reports.ts";
import type { ActsFlags } from "../commands/acts.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { plural } from "../phrases.ts";
import { writeFile } from "../report-targets.ts";
import { interruptible } from "../shutdown/interruption.ts";
import { actsSummary, createActsView } from "../terminal/acts-rows.ts";
import { escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";

/**
 * Selects the tests to run by id, glob, row (`rest/ID`), suite or tag. A filter without a match is probably misspelt.
 */
export function actsFilter(
  files: readonly ActsFile[],
  { only = [], skip = [] }: ActsFlags,
): (test: Test, transport?: Transport) => boolean {
  const suiteOf = new Map(
    files.flatMap(({ suites }) => suites.flatMap(({ id, tests }) => tests.map((test) => [test, id] as const))),
  );
  const tests = [...suiteOf.keys()];
  /** A filter for a row also matches the whole test, if no binding is given. */
  const fits = (test: Test, filter: string, transport?: Transport): boolean => {
    const [, row, id = filter] = /^([^/]+)\/(.+)$/.exec(filter) ?? [];
    if (row !== undefined && transport !== undefined && row !== (test.rows ?? transport)) return false;
    return fitsGlob(id, test.id) || test.tags.includes(filter) || suiteOf.get(test) === filter;
  };
  for (const [flag, filters] of [
    ["--only", only],
    ["--skip", skip],
  ] as const)
    for (const filter of filters)
      if (!tests.some((test) => fits(test, filter)))
        throw new UsageError(
          `${flag} ${filter}: no scenario matches.${didYouMean(
            filter,
            tests.map(({ id }) => id),
          )}`,
          "Run assay acts <files> --list to see the scenarios.",
        );
  return (test, transport) =>
    (!only.length || only.some((filter) => fits(test, filter, transport))) &&
    // A filter for one row must not leave out the whole test.
    !skip.some((filter) => (transport !== undefined || !filter.includes("/")) && fits(test, filter, transport));
}

/** The maximum number of file errors to show. */
const toldAtOnce = 20;

/** Runs `assay acts`: reads the files, runs the scenarios, prints a row for each, and writes the reports. */
export async function runActs(named: readonly string[], flags: ActsFlags, screen: Screen): Promise<ExitCode> {
  if (flags.from !== undefined) return writeScenarios(flags.from, named, flags, screen);
  if (flags.out !== undefined) throw new UsageError("--out requires --from");
  if (!named.length)
    throw new UsageError(
      "No scenarios to run.",
      "Name ACTS files or folders: assay acts tests/acts --url http://127.0.0.1:9999",
    );
  const files = filesOf(named);
  const only = actsFilter(files, flags);
  if (flags.list) return listTests(files, only, screen);
  if (flags.url === undefined)
    throw new UsageError(
      "No agent to run the scenarios on.",
      "Pass its address: --url http://127.0.0.1:9999. Use --list to see the scenarios.",
    );
  const targets = actsTargetsOf(flags.report ?? []);
  const people = targets.some(({ file }) => file === undefined) ? screen.aside() : screen;
  const { given, secrets } = actsVariables(flags.var ?? []);
  const view = createActsView(people);
  const interruption = interruptible(people, {
    timeout: flags.shutdownTimeout,
    onStop: () => view.say("Stopping and cleaning up. Press Ctrl-C again to stop at once."),
    onForced: () => view.end(),
    unfinished: () => ["tasks of the running scenarios", "the report"],
  });
  const startedAt = performance.now();
  const testDate = new Date().toISOString();
  const { traffic, exchanges, hear } = heard();
  const directions = await actsDirections(flags, people, { signal: interruption.signal, more: secrets }).catch(
    (error: unknown) => {
      view.end();
      interruption.release();
      throw error;
    },
  );
  const masker = createMasker(directions.secrets);
  const table = new Table(directions.to, hear);
  try {
    const needsMain = files.some(({ suites }) =>
      suites.some(({ tests }) => tests.some((test) => test.agent === undefined && only(test))),
    );
    const main = needsMain ? await table.agent(undefined, "main") : undefined;
    view.start(withoutLogin(flags.url), main?.facts);
    const tested = await runCorpus({
      files,
      agents: table.agent,
      only,
      given: { ...directions.given, ...given },
      env: process.env,
      masker,
      signal: interruption.signal,
      concurrency: flags.concurrency ?? (directions.isLocal ? 4 : 1),
      ...(flags.binding && { transports: transportsOf(flags.binding) }),
      ...(flags.behaviours && { behaviours: behavioursOf(flags.behaviours) }),
      onStart: view.expect,
      onOutcome: view.take,
    });
    await table.conclude();
    const report = reportOf(tested, {
      agentUrl: masker.text(withoutLogin(flags.url)),
      agentName: masker.text(main?.facts.name ?? ""),
      agentVersion: masker.text(main?.facts.version ?? ""),
      testDate,
      version,
      ending: interruption.signal.aborted ? "interrupted" : "done",
      durationMs: Math.round(performance.now() - startedAt),
      traffic,
      exchanges,
      notes: await table.close(),
    });
    view.end();
    for (const line of actsSummary(report, people)) people.line(line);
    const unwritten = writeActsReports(targets, report, flags.sdk, screen, people);
    if (interruption.signal.aborted) return exitCodes.interrupted;
    return unwritten ? exitCodes.ours : codeOf(report);
  } catch (error) {
    // An interruption may cause any error, so the error itself means nothing.
    if (interruption.signal.aborted) return exitCodes.interrupted;
    throw error;
  } finally {
    view.end();
    await table.close();
    await directions.close();
    interruption.release();
  }
}

/** Writes the conversations of a recorded run as scenarios. */
async function writeScenarios(
  run: string,
  named: readonly string[],
  { out, url }: ActsFlags,
  screen: Screen,
): Promise<ExitCode> {
  if (named.length || url !== undefined)
    throw new UsageError(
      "--from only writes scenarios, so it takes no files and no --url.",
      "Write them first: assay acts --from last --out recorded.acts.yaml",
    );
  if (out !== undefined && existsSync(out))
    throw new UsageError(`${out} already exists.`, "Choose another file, or delete this one first.");
  const file = findRun(run, new RunFolder());
  const events = readRun(file);
  if (events.some((event) => event.event === "run-started" && event.redacted))
    throw new UsageError(
      "The content of this run was removed (--redact), so it has no conversations to write.",
      "Record one without --redact.",
    );
  const { text, count, leftOut } = scenariosFromRun(events, basename(file, ".ndjson"));
  if (!count)
    throw new UsageError(
      "This run has no conversations in A2A 1.0 that could be written as scenarios.",
      leftOut.length
        ? `Left out: ${leftOut.join("; ")}.`
        : "Record some with assay proxy --record, or with assay test.",
    );
  const people = out === undefined ? screen.aside() : screen;
  if (out === undefined) screen.write(text);
  else writeScenarioFile(out, text);
  for (const line of leftOut) people.line(`Left out: ${line}.`);
  people.line(
    `${plural(count, "scenario")}${out === undefined ? "" : ` in ${out}`}. Read the expectations before you rely on them.`,
  );
  if (out !== undefined) people.line(`Run ${count === 1 ? "it" : "them"}: assay acts ${out} --url <agent>`);
  return exitCodes.fine;
}

function writeScenarioFile(file: string, text: string): void {
  try {
    writeFile(file, text, 0o600);
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${reasonOf(error as NodeJS.ErrnoException)}`, "Choose another file.");
  }
}

/** Collects the traffic findings of the suite. */
function heard() {
  const traffic: ConformanceResult[] = [];
  const exchanges = new Map<string, HarEntry>();
  const hear = (event: RunEvent): void => {
    if (event.event === "exchange") exchanges.set(event.id, event.entry);
    if (event.event === "check-finished" && (event.result.verdict === "fail" || event.result.warning !== undefined))
      traffic.push(event.result);
  };
  return { traffic, exchanges, hear };
}

function codeOf(report: ActsReport): ExitCode {
  const outcomes = outcomesOf(report);
  if (outcomes.some(({ verdict, level }) => verdict === "fail" && level === "must")) return exitCodes.agent;
  return outcomes.some(({ verdict }) => verdict === "error") ? exitCodes.ours : exitCodes.fine;
}

function filesOf(named: readonly string[]): ActsFile[] {
  try {
    return readCorpus(named);
  } catch (error) {
    if (!(error instanceof ActsMistakes)) throw error;
    const { mistakes } = error;
    const told = mistakes.slice(0, toldAtOnce).map(({ at, says }) => `${placeText(at)} ${escapeText(says)}`);
    const more = mistakes.length - told.length;
    throw new UsageError(
      [plural(mistakes.length, "mistake"), ...told, ...(more ? [`and ${plural(more, "more mistake")}`] : [])].join(
        "\n",
      ),
      "docs/scenarios.md describes the format.",
    );
  }
}

/** Returns the given names, or those that a file of §11.1 lists. */
function behavioursOf(given: readonly string[]): "all" | ReadonlySet<string> {
  if (given.includes("all")) return "all";
  return new Set(given.flatMap((name) => (/\.(ya?ml|json)$/.test(name) ? behavioursIn(name) : name)));
}

function behavioursIn(file: string): string[] {
  try {
    return readBehaviours(file, readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof ActsMistakes) throw new UsageError(escapeText(error.message));
    throw new UsageError(`--behaviours: cannot read ${file} (${(error as NodeJS.ErrnoException).code})`);
  }
}

const transportsOf = (names: readonly string[]): Transport[] =>
  (Object.keys(bindingOf) as Transport[]).filter((transport) => names.includes(bindingOf[transport]));

function listTests(
  files: readonly ActsFile[],
  only: ReturnType<typeof actsFilter>,
  { line, colors }: Screen,
): ExitCode {
  const listed = files.flatMap(({ suites }) => suites.flatMap(({ tests }) => tests.filter((test) => only(test))));
  const width = Math.max(0, ...listed.map(({ id }) => id.length));
  for (const { file, suites } of files) {
    for (const { name, tests } of suites) {
      const chosen = tests.filter((test) => only(test));
      if (!chosen.length) continue;
      line(`${colors.bold(escapeText(name))} ${colors.dim(escapeText(file))}`);
      for (const { id, name: title, level, transports } of chosen)
        line(
          `  ${id.padEnd(width)} ${level.padEnd(6)} ${escapeText(title)}${transports ? colors.dim(` (${transports.join(", ")})`) : ""}`,
        );
    }
  }
  line(`${plural(listed.length, "scenario")} in ${plural(files.length, "file")}`);
  return exitCodes.fine;
}

/** Reads `name=value`. Values from `env:` or `@file` are secrets, which every output masks. */
function actsVariables(given: readonly string[]): { given: Record<string, string>; secrets: SecretValue[] } {
  const values: Record<string, string> = {};
  const secrets: SecretValue[] = [];
  for (const text of given) {
    const at = text.indexOf("=");
    if (at < 1) throw new UsageError(`--var ${text}: expected name=value`);
    const [name, value] = [text.slice(0, at), text.slice(at + 1)];
    const isSecret = value.startsWith("env:") || value.startsWith("@");
    values[name] = isSecret ? readSecret(`--var ${name}`, value, () => {}) : value;
    if (isSecret) secrets.push({ name, value: values[name] });
  }
  return { given: values, secrets };
}
