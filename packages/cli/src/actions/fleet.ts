import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  type AgentList,
  commonReasons,
  type FleetLedger,
  type FleetQueue,
  type FleetVerdict,
  type ListedAgent,
  type Politeness,
  patientWith,
  type SweepListener,
  type SweepOutcome,
  sweepOnce,
} from "@assay/fleet";
import { sendingLines } from "@assay/library/config";
import { readAllowedSecret } from "@assay/library/connection";
import { readSecret } from "@assay/library/secrets";
import { didYouMean } from "@assay/protocol/core";
import type { FleetFlags } from "../commands/fleet.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { listedLogins, loginUses } from "../fleet/agent-logins.ts";
import { examinerFor } from "../fleet/examiner.ts";
import { readAgents } from "../fleet/list-source.ts";
import { openStores } from "../fleet/open-stores.ts";
import { classCounts, createSweepView, type SweepView, verdictLine } from "../fleet/sweep-view.ts";
import { notify } from "../fleet/webhook.ts";
import { duration, plural } from "../phrases.ts";
import { interruptible } from "../shutdown/interruption.ts";
import { escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";
import { wrap } from "../terminal/width.ts";

/** The maximum number of errors and secrets of a list to show. */
const toldAtOnce = 20;
/** The maximum number of reasons to explain below a sweep; assay fleet report has all of them. */
const mostReasons = 5;
const noWorkers = "No worker takes jobs from the queue. Start one: assay worker --queue … --history …";

/** Runs `assay fleet`: one sweep, or one after the other with --every. */
export async function runFleet(list: string, flags: FleetFlags, screen: Screen): Promise<ExitCode> {
  const people = flags.json ? screen.aside() : screen;
  const webhook = flags.webhook === undefined ? undefined : readSecret("--webhook", flags.webhook, () => {});
  if (flags.queue !== undefined && flags.history === undefined)
    throw new UsageError(
      "--queue requires --history: workers save their verdicts there.",
      "Pass a PostgreSQL address that all workers can reach, or sqlite:<file> if all of them run on this machine.",
    );
  const stores = await openStores({ ...flags, history: flags.history }, people);
  const view = createSweepView(people, flags.json);
  const { signal, release } = interruptible(people, {
    timeout: flags.shutdownTimeout,
    onStop: () =>
      view.say(
        "Stopping. Progress is saved: run the same command again to continue. Press Ctrl-C again to stop at once.",
      ),
    onForced: () => view.end(),
    unfinished: () => ["running examinations", "the connection to the history database"],
  });
  const remark = people.canRepaint && !flags.json ? view.say : people.complain;
  const { ledger, politeness } = patientWith(stores.ledger, stores.politeness, {
    signal,
    away: ({ message }) =>
      remark(`warning: the history database does not respond (${escapeText(message)}). Assay waits for it.`),
    back: () => remark("The history database responds again."),
  });
  try {
    const place = { list, ledger, politeness, shared: stores.shared?.queue, view, flags, signal };
    for (let sweeps = 0; ; sweeps++) {
      const startedAt = Date.now();
      const code = await sweepAndTell(place, webhook, screen).catch((error: unknown) => {
        // Ctrl-C ended the wait for the database.
        if (signal.aborted) return exitCodes.interrupted;
        // A listing may be unavailable for one sweep only.
        if (sweeps === 0 || !(error instanceof UsageError)) throw error;
        people.complain(`warning: sweep skipped: ${error.message}`);
        return exitCodes.usage;
      });
      if (flags.every === undefined || code === exitCodes.interrupted) return code;
      const next = startedAt + flags.every - Date.now();
      people.line(`The next sweep starts in ${duration(Math.max(0, next))}.`);
      if (next > 0) await pause(next, undefined, { signal }).catch(() => {});
      if (signal.aborted) return exitCodes.interrupted;
    }
  } finally {
    await stores.close();
    release();
  }
}

/** Reads the list, sweeps over it, and prints the result. */
async function sweepAndTell(place: SweepPlace, webhook: string | undefined, screen: Screen): Promise<ExitCode> {
  const { list, ledger, flags } = place;
  const people = flags.json ? screen.aside() : screen;
  const read = await listed(list, flags, people);
  if (!place.shared) await saySecrets(list, read.agents, people);
  const outcome = await sweep(read, place);
  if (!outcome) return exitCodes.interrupted;
  if (webhook !== undefined && outcome.regressions.length) {
    const trouble = await notify(webhook, noticeOf(outcome), flags);
    if (trouble !== undefined) people.complain(`warning: --webhook: ${trouble}`);
  }
  if (flags.keepEvidence !== undefined)
    await ledger.forgetEvidence(new Date(Date.now() - flags.keepEvidence).toISOString());
  tell(outcome, flags, screen);
  return codeOf(outcome);
}

/** Reads the agents of the list; invalid rows stop the sweep, except with --skip-bad-rows. */
async function listed(list: string, flags: FleetFlags, people: Screen): Promise<AgentList & { fleet: string }> {
  const read = await readAgents(list, flags);
  const { agents, mistakes, duplicates } = read;
  const told = mistakes.slice(0, toldAtOnce).map(({ place, message }) => escapeText(`${place} ${message}`));
  const more = mistakes.length - told.length;
  const lines = [...told, ...(more > 0 ? [`and ${plural(more, "more mistake")}`] : [])];
  if (mistakes.length && !flags.skipBadRows)
    throw new UsageError(lines.join("\n"), "Nothing was examined. Fix these rows, or skip them with --skip-bad-rows.");
  for (const line of lines) people.complain(`skipped: ${line}`);
  if (duplicates) people.complain(`Ignored ${plural(duplicates, "duplicate row")}.`);
  if (agents.length === 0) throw new UsageError(`${escapeText(list)} has no agents`);
  const names = new Set(agents.map(({ name }) => name));
  for (const name of flags.only ?? [])
    if (!names.has(name))
      throw new UsageError(
        `--only: no agent in ${escapeText(list)} is named "${name}".${didYouMean(name, [...names])}`,
      );
  return read;
}

/** Prints which secrets go where before the first request. Workers of a queue have their own secrets. */
async function saySecrets(list: string, agents: readonly ListedAgent[], people: Screen): Promise<void> {
  const uses = await Promise.all(agents.filter(({ login }) => login).map(loginUses));
  const lines = sendingLines(uses.flat());
  for (const line of lines.slice(0, toldAtOnce)) people.complain(`${escapeText(list)} ${line}`);
  if (lines.length > toldAtOnce) people.complain(`and ${plural(lines.length - toldAtOnce, "more secret")}`);
}

interface SweepPlace {
  /** the list's file or address */
  readonly list: string;
  readonly ledger: FleetLedger;
  readonly politeness: Politeness;
  /** the queue that workers take from; without one, this process examines the agents */
  readonly shared: FleetQueue | undefined;
  readonly view: SweepView;
  readonly flags: FleetFlags;
  readonly signal: AbortSignal;
}

/** Passes the flags to the sweep, and shows its progress. */
function sweep({ fleet, agents }: AgentList & { fleet: string }, place: SweepPlace): Promise<SweepOutcome | undefined> {
  const { list, ledger, politeness, shared, view, flags, signal } = place;
  const folder = dirname(list);
  const allowed = (flags.allowSecrets ?? []).map((each) => readAllowedSecret(each));
  const listener: SweepListener = {
    settled: (verdict) => view.settled(verdict),
    progress: (progress) => view.progress(progress),
    resumed: (last) => view.say(`Continuing ${last.sweep}, started at ${last.startedAt}.`),
    noWorkers: () => view.say(noWorkers),
  };
  return sweepOnce(fleet, agents, {
    ledger,
    politeness,
    shared,
    listener,
    signal,
    fresh: flags.fresh,
    only: flags.only && new Set(flags.only),
    maxTime: flags.maxTime,
    concurrency: flags.concurrency,
    worker: `${hostname()}-${process.pid}`,
    ...examinerFor(flags, listedLogins({ allowed, folder }), folder),
  }).finally(() => view.end());
}

const noticeOf = ({ sweep, regressions }: SweepOutcome) =>
  ({ event: "fleet-regressions", fleet: sweep.fleet, sweep: sweep.sweep, regressions }) as const;

function tell({ sweep, verdicts, regressions }: SweepOutcome, { json }: FleetFlags, screen: Screen): void {
  if (json) {
    const classes: Record<string, number> = {};
    for (const { class: named } of verdicts) classes[named] = (classes[named] ?? 0) + 1;
    screen.json({ fleet: sweep.fleet, sweep: sweep.sweep, agents: verdicts.length, classes, regressions }, 2);
    return;
  }
  screen.line(`${escapeText(sweep.fleet)}: ${plural(verdicts.length, "agent")}: ${classCounts(verdicts)}`);
  tellReasons(verdicts, screen);
  if (regressions.length) screen.line(`${plural(regressions.length, "agent")} got worse:`);
  const byName = new Map(verdicts.map((verdict) => [verdict.agent, verdict]));
  for (const { agent, before } of regressions)
    screen.line(`  ${verdictLine(byName.get(agent)!)} (was ${before.class})`);
  screen.line(`Run assay fleet report for details (${sweep.sweep}).`);
}

/** Prints why agents do not count as working and what to do, once for all agents with the same reason. */
function tellReasons(verdicts: readonly FleetVerdict[], screen: Screen): void {
  const { columns } = screen.size();
  const all = commonReasons(verdicts);
  for (const { class: named, code, agents, remedy, examples } of all.slice(0, mostReasons)) {
    const more = agents > examples.length ? ` and ${agents - examples.length} more` : "";
    screen.line();
    for (const [index, text] of wrap(
      escapeText(`${named} (${code}): ${examples.join(", ")}${more}`),
      columns - 2,
    ).entries())
      screen.line(index === 0 ? screen.colors.bold(text) : `  ${text}`);
    for (const [index, text] of wrap(remedy, columns - 8).entries())
      screen.line(`${index === 0 ? "  fix   " : "        "}${text}`);
  }
  if (all.length) screen.line();
}

/** Classes of agents that were not examined. A sweep with only these is not a success. */
const silent = new Set<FleetVerdict["class"]>(["not-examined", "opted-out", "refused-by-guard"]);

function codeOf({ verdicts, regressions }: SweepOutcome): ExitCode {
  if (regressions.length) return exitCodes.agent;
  return verdicts.every(({ class: named }) => silent.has(named)) ? exitCodes.usage : exitCodes.fine;
}
