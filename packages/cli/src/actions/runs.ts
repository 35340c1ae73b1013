import type { History, RuleInRun } from "@assay/history";
import { RunFolder, readRun } from "@assay/library/runs";
import { foldRun, type RunHeadline, runHeadline } from "@assay/suite/report";
import { brokenText } from "@assay/suite/text";
import type { RunsFlags } from "../commands/runs.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { openRunHistory } from "../recorded/run-history.ts";
import { brief, escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";

interface ListedRun {
  readonly name: string;
  /** absent if the recording is gone and only the history has the result */
  readonly file?: string;
  /** absent if the run is unreadable */
  readonly facts?: RunHeadline;
  readonly trouble?: string;
}

/** Runs `assay runs`: prints a line for each known run. Unreadable runs are included, with the reason. */
export async function listRuns(flags: RunsFlags, screen: Screen, folder = new RunFolder()): Promise<ExitCode> {
  const history = await openRunHistory(folder, flags.history);
  try {
    if (flags.rule !== undefined)
      return tellRule(flags.rule, await followed(history, flags.rule, flags), flags, screen);
    const known = await history?.runs(flags.agent === undefined ? {} : { agentUrl: flags.agent });
    return tellRuns(listed(folder, known, flags.agent), flags, screen, folder);
  } finally {
    await history?.close();
  }
}

/** Lists recordings, newest first, then the runs that only the history has. */
function listed(folder: RunFolder, known: readonly RunHeadline[] | undefined, agent: string | undefined): ListedRun[] {
  const names = folder.list().toReversed();
  const byName = new Map(known?.map((run) => [run.run, run]));
  const recorded = names.map((name): ListedRun => {
    const file = folder.eventsOf(name);
    const facts = byName.get(name);
    return facts ? { name, file, facts } : readKept(name, file);
  });
  const gone = (known ?? []).filter(({ run }) => !names.includes(run));
  const all = [...recorded, ...gone.map((facts): ListedRun => ({ name: facts.run, facts }))];
  return agent === undefined ? all : all.filter(({ facts }) => facts?.agentUrl === agent);
}

function tellRuns(runs: readonly ListedRun[], flags: RunsFlags, screen: Screen, folder: RunFolder): ExitCode {
  if (flags.json) {
    screen.json(runs.map(factsOf), 2);
    return exitCodes.fine;
  }
  if (!runs.length) screen.line(`No runs in ${folder.path}. Run assay test <url> first.`);
  const names = folder.list().toReversed();
  const width = Math.max(0, ...runs.map(({ facts }) => (facts ? verdictOf(facts).length : 0)));
  for (const { name, file, facts, trouble } of runs) {
    const back = names.indexOf(name);
    const alias = file === undefined ? "" : back === 0 ? "last" : `last~${back}`;
    if (!facts) {
      screen.line(`${name.padEnd(22)} ${alias.padEnd(8)} cannot be read: ${escapeText(trouble ?? "")}`);
      continue;
    }
    const { summary, agentUrl, agentName, broken, subject } = facts;
    screen.line(
      `${name.padEnd(22)} ${alias.padEnd(8)} ${verdictOf(facts).padEnd(width)}  ${examinedOf(summary).padEnd(19)}  ` +
        `${brokenText(broken, subject).padEnd(15)}  ${brief(agentName || "?", 30)}  ${escapeText(agentUrl)}`,
    );
  }
  return exitCodes.fine;
}

const examinedOf = ({ examined, applicable }: RunHeadline["summary"]): string =>
  `examined ${examined} of ${applicable}`;

const verdictOf = ({ answer, conformanceLevel }: RunHeadline): string =>
  `${answer}${conformanceLevel ? ` (${conformanceLevel})` : ""}`;

function readKept(name: string, file: string): ListedRun {
  try {
    return { name, file, facts: runHeadline({ ...foldRun(readRun(file)), run: name }) };
  } catch (error) {
    // Assay writes these files, but other programs may damage them.
    return { name, file, trouble: error instanceof UsageError ? error.message : "the file is damaged" };
  }
}

const factsOf = ({ name, file, facts, trouble }: ListedRun) => ({
  run: name,
  ...(file !== undefined && { file }),
  ...(facts && {
    agentUrl: facts.agentUrl,
    agentName: facts.agentName,
    agentVersion: facts.agentVersion,
    testDate: facts.testDate,
    ending: facts.ending,
    outcome: facts.outcome,
    conformanceLevel: facts.conformanceLevel,
    summary: facts.summary,
  }),
  ...(trouble !== undefined && { trouble }),
});

async function followed(history: History | undefined, rule: string, { agent }: RunsFlags): Promise<RuleInRun[]> {
  if (!history)
    throw new UsageError(
      "--rule requires the history of runs, which does not exist.",
      "The history is a SQLite file. Use Node 22.13 or newer, or install the package libsql.",
    );
  return history.rule(rule, agent === undefined ? {} : { agentUrl: agent });
}

/** Prints a line for each run that examined the rule. */
function tellRule(rule: string, runs: readonly RuleInRun[], flags: RunsFlags, screen: Screen): ExitCode {
  if (flags.json) {
    screen.json(
      runs.map(({ run: { run, testDate, agentUrl, agentVersion }, verdicts }) => ({
        ...{ run, testDate, agentUrl, agentVersion },
        verdicts,
      })),
      2,
    );
    return exitCodes.fine;
  }
  if (!runs.length) screen.line(`${escapeText(rule)} was not examined in any known run.`);
  for (const { run, verdicts } of runs) {
    const said = verdicts.map(
      ({ verdict, hasWarning, dialect, binding }) =>
        `${[dialect, binding].filter(Boolean).join(" ")} ${verdict}${hasWarning ? " (warning)" : ""}`,
    );
    screen.line(`${run.run.padEnd(22)} ${[...new Set(said)].join(", ")}  ${escapeText(run.agentUrl)}`);
  }
  return exitCodes.fine;
}
