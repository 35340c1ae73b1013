import { join } from "node:path";
import { isSameAddress, type Project, projectsFor, type Settings, settingsOf } from "@assay/library/config";
import { clientOptions, withoutParameters } from "@assay/library/connection";
import { version } from "@assay/library/version";
import { defined } from "@assay/protocol";
import {
  type Interop,
  type InteropAgent,
  interop,
  interopEvents,
  ownClient,
  pairResults,
  type StandIn,
} from "@assay/proxy";
import { testAgent } from "@assay/suite";
import { type ConformanceReport, foldRun, type RunEvent } from "@assay/suite/report";
import { createMasker } from "@assay/wire";
import type { InteropFlags } from "../commands/interop.ts";
import type { TestFlags } from "../commands/test.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { takesOutput, targetsOf, writeReports } from "../report-targets.ts";
import { interruptible } from "../shutdown/interruption.ts";
import { escapeText } from "../terminal/escape.ts";
import { directionLines, groundLines, testedLine, understandingLines } from "../terminal/interop-lines.ts";
import type { Screen } from "../terminal/screen.ts";
import { complainAbout } from "../testing/tell.ts";

/** The rules that other agents rely on when they talk to a server. */
const neededRules = ["agent-card", "SEND-001", "SEND-010", "GET-001", "STREAM-001", "STREAM-003", "JSONRPC-003"];
const fewMessages = 3;

/** Runs `assay interop`: compares two agents, tests each, lets them talk, and tells if they understand each other. */
export async function runInterop(a: string, b: string, flags: InteropFlags, screen: Screen): Promise<ExitCode> {
  const reporters = await (await import("@assay/reporters")).loadReporters();
  const targets = targetsOf(flags.report ?? [], reporters);
  const people = flags.json || targets.some(takesOutput) ? screen.aside() : screen;
  const startedAt = new Date();
  const [ofA, ofB] = [
    await sideOf(a, flags, flags.relay, screen),
    await sideOf(b, peerFlags(flags), flags.peerRelay, screen),
  ];
  const connection = clientOptions([new URL(ofA.agent.url), new URL(ofB.agent.url)], flags);
  const secrets = [...(ofA.settings.options.secrets ?? []), ...(ofB.settings.options.secrets ?? [])];
  const driver = flags.standIn === undefined ? undefined : await driven(flags.standIn);
  const interruption = interruptible(people, {
    timeout: flags.shutdownTimeout,
    onStop: () => people.line("Stopping. Press Ctrl-C again to stop at once."),
    unfinished: () => ["tasks on the agents"],
  });
  const { signal } = interruption;
  const standIn = driver ?? ownClient({ connection, version, signal });
  try {
    const tests = flags.test === false ? [] : [await tested(ofA.settings, signal), await tested(ofB.settings, signal)];
    const found = await interop({
      a: ofA.agent,
      b: ofB.agent,
      version,
      connection,
      secrets,
      host: flags.host,
      standIn,
      cancel: true,
      ...defined({ text: flags.text, atOnce: flags.atOnce }),
      ...(flags.taskTimeout !== undefined && { taskTimeout: flags.taskTimeout * 1_000 }),
      signal,
      onProgress: (text) => {
        if (people.isTerminal && !flags.json) people.line(people.colors.dim(escapeText(text)));
      },
    });
    if (flags.json) screen.json(documentOf(found, tests), 2);
    else for (const line of linesOf(found, tests, people)) people.line(line);
    const masker = createMasker(secrets);
    const run = startedAt.toISOString().slice(0, 19).replaceAll(":", "-");
    const events = interopEvents(found, { run, version, startedAt, endedAt: new Date(), masker });
    const unwritten = writeReports(
      targets,
      reporters,
      { events, report: foldRun(events) },
      { output: screen, log: people, stepSummary: process.env["GITHUB_STEP_SUMMARY"] },
    );
    complainAbout(unwritten, undefined, people);
    if (unwritten.length) return exitCodes.ours;
    return signal.aborted ? exitCodes.interrupted : codeOf(found, tests);
  } catch (error) {
    if (signal.aborted) return exitCodes.interrupted;
    throw error;
  } finally {
    interruption.release();
    await standIn.close();
  }
}

/** Starts the client of an SDK: a driver of the matrix by its name, or any driver by its folder. */
async function driven(named: string): Promise<StandIn> {
  const { missingPart, openStandIn, readDriver } = await import("@assay/matrix");
  const { checkNames, driverEnvironment, driverNames, driversFolder } = await import("../matrix/drivers.ts");
  const isFolder = /[\\/]/.test(named);
  if (!isFolder) checkNames("--stand-in", [named], driverNames(driversFolder(undefined)));
  const driver = readDriver(isFolder ? named : join(driversFolder(undefined), named));
  // Only servers read the skills.
  const env = driverEnvironment(undefined, 1);
  if (missingPart(driver, env) !== undefined)
    throw new UsageError(
      `--stand-in ${named}: the driver is not set up.`,
      isFolder
        ? "Run the commands under setup in its driver.yaml."
        : `Set it up: assay matrix --setup --client ${named}`,
    );
  return openStandIn(driver, env);
}

interface InteropSide {
  readonly settings: Settings;
  readonly agent: InteropAgent;
}

/** The credential options, which apply only to the first agent. */
const ofTheFirst: readonly string[] = [
  ...["headers", "bearer", "apiKey", "basic", "oauthClient", "tokenUrl", "oauthScope"],
  ...["cert", "key"],
];

/** Returns the flags for the second agent. */
function peerFlags({ peerBearer, peerHeader, ...rest }: InteropFlags): InteropFlags {
  const shared = Object.fromEntries(Object.entries(rest).filter(([name]) => !ofTheFirst.includes(name)));
  return {
    ...(shared as typeof rest),
    ...defined({ bearer: peerBearer, headers: peerHeader }),
  };
}

async function sideOf(
  url: string,
  flags: InteropFlags,
  relay: string | undefined,
  screen: Screen,
): Promise<InteropSide> {
  const [there] = projectsFor(url, flags);
  // The file may be about another agent.
  const project: Project = there?.url !== undefined && isSameAddress(there.url, url) ? there : {};
  const given: TestFlags = { ...flags, depth: "quick", budget: fewMessages, only: neededRules };
  const settings = await settingsOf(url, given, screen, project);
  const { headers = [], query = [] } = settings.options;
  withoutParameters({ headers: [...headers], query: [...query], secrets: [] });
  const prompt = relay ?? project.relay;
  const slow = settings.options.prompts?.slow;
  return {
    settings,
    agent: {
      url: settings.url,
      headers,
      ...(prompt !== undefined && { relay: prompt }),
      ...(typeof slow === "string" && { slow }),
    },
  };
}

async function tested({ options }: Settings, signal: AbortSignal): Promise<ConformanceReport> {
  const events: RunEvent[] = [];
  for await (const event of testAgent({ ...options, run: "interop", signal })) events.push(event);
  return foldRun(events);
}

function linesOf(found: Interop, tests: readonly ConformanceReport[], { colors }: Screen): string[] {
  const { directions, ground, understandings } = found;
  return [
    ...groundLines(found, colors),
    "",
    ...tests.map((report, index) => testedLine(index ? "B" : "A", report, colors)),
    ...(tests.length ? [""] : []),
    ...directions.flatMap((way) => directionLines(way, colors)),
    "",
    ...understandings.flatMap((each) => understandingLines(each, ground.needs[each.direction], colors)),
  ];
}

/** Returns the JSON document without the exchanges. The screen masks the secrets of both agents. */
const documentOf = (found: Interop, tests: readonly ConformanceReport[]): object => ({
  ...found,
  directions: found.directions.map(({ events: _, ...way }) => way),
  /** the results under the names of step 5.5 of the procedure */
  interop: pairResults(found),
  tests,
});

/** Returns 1 if the agents do not understand each other or one does not conform, and 2 if nothing could be tried. */
function codeOf({ understandings }: Interop, tests: readonly ConformanceReport[]): ExitCode {
  if (understandings.some(({ is }) => is === "no") || tests.some(({ outcome }) => outcome === "not-conformant"))
    return exitCodes.agent;
  return understandings.every(({ is }) => is === "unknown") ? exitCodes.usage : exitCodes.fine;
}
