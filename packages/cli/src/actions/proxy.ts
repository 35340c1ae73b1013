import { once } from "node:events";
import { rmSync } from "node:fs";
import { clientOptions, givenCredentials, parseAddress, withoutParameters } from "@assay/library/connection";
import { keptRuns, openWantedRecord, RunFolder, type RunRecord, readRun } from "@assay/library/runs";
import { version } from "@assay/library/version";
import { defined } from "@assay/protocol";
import { Faults, type OpenProxy, openProxy, type Sight } from "@assay/proxy";
import type { Run } from "@assay/reporters";
import { exitCodeOf, foldRun, type RunEvent, shutGates } from "@assay/suite/report";
import { secretsInAddress } from "@assay/wire";
import type { ProxyFlags } from "../commands/proxy.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { takesOutput, targetsOf, writeReports } from "../report-targets.ts";
import { type Interruption, interruptible } from "../shutdown/interruption.ts";
import { escapeText } from "../terminal/escape.ts";
import { faultLines } from "../terminal/fault-lines.ts";
import { plainEnding } from "../terminal/plain.ts";
import { partyLines, proxyHead, proxyTally, sightLines } from "../terminal/proxy-lines.ts";
import type { Screen } from "../terminal/screen.ts";
import { summaryOf } from "../terminal/summary.ts";
import { complainAbout } from "../testing/tell.ts";

/** The number of last exchanges in the report without --record. Exchanges with a breach are added to them. */
const keptExchanges = 1_000;

/** Runs `assay proxy`: forwards and judges traffic until it is stopped, then writes the report. */
export async function proxy(
  address: string | undefined,
  flags: ProxyFlags,
  screen: Screen,
  stopped?: AbortSignal,
): Promise<ExitCode> {
  if (flags.fault?.includes("list")) {
    for (const line of faultLines()) screen.line(line);
    return exitCodes.fine;
  }
  if (address === undefined)
    throw new UsageError(
      "assay proxy needs the address of an agent",
      "Run for example assay proxy http://127.0.0.1:9999.",
    );
  const faults = flags.fault && new Faults(flags.fault, flags.seed);
  const reporters = await (await import("@assay/reporters")).loadReporters();
  const targets = targetsOf(flags.report ?? [], reporters);
  const people = flags.json || targets.some(takesOutput) ? screen.aside() : screen;
  const url = parseAddress(address);
  const callback = callbackOf(flags.callback, url);
  const { headers, secrets } = withoutParameters(await givenCredentials(flags, screen, address));
  const folder = new RunFolder();
  const record = flags.record ? openWantedRecord(folder) : undefined;
  const events = new KeptEvents();
  const tally = { calls: 0, agent: 0, client: 0, faulted: 0 };
  const early: Sight[] = [];
  let isGreeted = false;
  const show = (sight: Sight): void => {
    if (!isGreeted) return void early.push(sight);
    count(sight, tally);
    events.mark(sight);
    if (flags.json) screen.json(sight);
    else for (const line of sightLines(sight, people.colors)) people.line(line);
  };
  const opened = await openProxy({
    url: url.href,
    host: flags.host,
    port: flags.port,
    ...(callback && { callback: callback.href }),
    ...(flags.card !== undefined && { card: parseAddress(flags.card).href }),
    ...(flags.keepCard && { keepCard: true }),
    ...defined({ allowHosts: flags.allowHosts, trustHosts: flags.trustHosts }),
    run: record
      ? record.file.replace(/^.*[\\/]|\.ndjson$/g, "")
      : new Date().toISOString().slice(0, 19).replaceAll(":", "-"),
    version,
    connection: clientOptions(callback ? [url, callback] : [url], flags),
    headers,
    secrets: [...secrets, ...[url, callback].flatMap((each) => (each ? secretsInAddress(each.href) : []))],
    ...(flags.strict && { strict: true }),
    ...(flags.ruleSet && { ruleSet: flags.ruleSet }),
    ...(faults && { faults }),
    record: (event) => {
      record?.add(event);
      if (!record) events.add(event);
    },
    show,
  }).catch((error: NodeJS.ErrnoException) => {
    if (record) rmSync(record.file, { force: true });
    throw isTaken(error)
      ? new UsageError(
          `cannot listen on ${flags.host} port ${flags.port}: ${error.message}`,
          "Choose another port (--port 0 picks a free one), or stop the program that uses this one.",
        )
      : error;
  });
  // Register the signals before printing the address: a program that reads it may stop Assay at once.
  const stopping = untilStopped(people, flags, stopped);
  greet(opened, flags, screen, people);
  isGreeted = true;
  early.forEach(show);
  const interruption = await stopping;
  await opened.close();
  record?.close();
  const run = runOf(record, events);
  const unwritten = writeReports(targets, reporters, run, {
    output: screen,
    log: people,
    stepSummary: process.env["GITHUB_STEP_SUMMARY"],
  });
  conclude(run, tally, flags, people);
  if (record) {
    if (!flags.json) people.line(`Recorded in ${record.file} (assay report last --report html=…)`);
    folder.prune(flags.keep ?? keptRuns);
  }
  complainAbout(unwritten, record?.file, people);
  interruption.release();
  return unwritten.length ? exitCodes.ours : exitCodeOf(run.report, gatesOf(flags));
}

/** Returns the address for notifications to the client, which must differ from the agent's. */
function callbackOf(given: string | undefined, agent: URL): URL | undefined {
  const callback = given === undefined ? undefined : parseAddress(given);
  if (callback?.origin === agent.origin)
    throw new UsageError(
      `--callback ${given}: this is the host and port of the agent.`,
      "Pass the address at which your client receives notifications.",
    );
  return callback;
}

const gatesOf = ({ failOn }: ProxyFlags) => ({ ...(failOn && { failOn }) });

const isTaken = ({ code }: NodeJS.ErrnoException): boolean =>
  code !== undefined && ["EADDRINUSE", "EACCES", "EADDRNOTAVAIL", "ENOTFOUND"].includes(code);

function count(sight: Sight, tally: { calls: number; agent: number; client: number; faulted: number }): void {
  if (sight.is !== "call") return;
  tally.calls += 1;
  if (sight.faults) tally.faulted += 1;
  for (const { party, severity } of sight.breaches) if (severity === "fail") tally[party] += 1;
}

function greet({ url, callback }: OpenProxy, flags: ProxyFlags, screen: Screen, people: Screen): void {
  if (flags.json) screen.json({ ready: true, url, ...defined({ callback }), pid: process.pid });
  else {
    const card = flags.keepCard ? "the card stays unchanged" : "the card points here";
    people.line(
      `Proxy on ${people.colors.bold(escapeText(url))}   point your client there; ${card} (press Ctrl-C to stop)`,
    );
    if (callback !== undefined)
      people.line(
        `Webhook  ${people.colors.bold(escapeText(callback))}   register this address; notifications go on to ${escapeText(flags.callback ?? "")}`,
      );
    people.line(proxyHead(people.colors));
  }
}

/** Waits for a signal, the normal end, so the exit code is 0. A second signal ends the process at once. */
async function untilStopped(
  people: Screen,
  { json, shutdownTimeout: timeout }: ProxyFlags,
  stopped: AbortSignal | undefined,
): Promise<Interruption> {
  const interruption = interruptible(people, {
    timeout,
    onStop: () => {
      if (people.isTerminal && !json)
        people.line("Stopping and judging the calls. Press Ctrl-C again to stop at once.");
    },
    unfinished: () => ["open calls", "the report"],
  });
  const signal = stopped ? AbortSignal.any([interruption.signal, stopped]) : interruption.signal;
  if (!signal.aborted) await once(signal, "abort");
  return interruption;
}

function runOf(record: RunRecord | undefined, events: KeptEvents): Run {
  const all = record && record.trouble === undefined ? readRun(record.file) : events.all;
  return { events: all, report: foldRun(all) };
}

function conclude(run: Run, tally: Parameters<typeof proxyTally>[0], flags: ProxyFlags, people: Screen): void {
  if (flags.json) return;
  const { report } = run;
  people.line();
  people.line(proxyTally(tally));
  for (const line of partyLines(report)) people.line(line);
  people.line();
  const lines = people.isTerminal
    ? summaryOf(report, { columns: people.size().columns, colors: people.colors })
    : plainEnding(report);
  for (const line of lines) people.line(line);
  for (const gate of shutGates(report, gatesOf(flags))) people.line(`gate: ${escapeText(gate)}`);
}

/** The events of a run without a recording. A proxy may run for days, so only some exchanges are kept. */
class KeptEvents {
  readonly #events: RunEvent[] = [];
  readonly #telling = new Set<string>();
  #exchanges = 0;

  add(event: RunEvent): void {
    this.#events.push(event);
    if (event.event !== "exchange" || ++this.#exchanges <= 2 * keptExchanges) return;
    const last = this.#events.filter(({ event: kind }) => kind === "exchange").slice(-keptExchanges);
    const kept = this.#events.filter(
      (each) => each.event !== "exchange" || this.#telling.has(each.id) || last.includes(each),
    );
    this.#events.splice(0, this.#events.length, ...kept);
    this.#exchanges = keptExchanges;
  }

  /** Keeps an exchange with a breach, up to a limit. */
  mark(sight: Sight): void {
    if (sight.is === "call" && sight.breaches.length && this.#telling.size < keptExchanges) this.#telling.add(sight.id);
  }

  get all(): readonly RunEvent[] {
    return this.#events;
  }
}
