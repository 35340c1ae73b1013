import { readFileSync } from "node:fs";
import { projectsFor, settingsOf } from "@assay/library/config";
import { findRun, RunFolder, readRun } from "@assay/library/runs";
import { defined, jsonIn } from "@assay/protocol";
import type { ClientProfile } from "@assay/suite/forecast";
import { type ClientForecast, foldRun, type RunEvent, type RunForecast } from "@assay/suite/report";
import type { ForecastFlags } from "../commands/forecast.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { interruptible } from "../shutdown/interruption.ts";
import { escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";

/**
 * Runs `assay forecast`: tests the agent or reads a run, compares it with the client profiles, and shows the result.
 */
export async function forecastClients(agent: string, flags: ForecastFlags, screen: Screen): Promise<ExitCode> {
  const { profiles, readProfile, runForecast } = await import("@assay/suite/forecast");
  const own = (flags.profile ?? []).map((file) => profileIn(file, readProfile));
  const isAddress = /^[\w+.-]+:\/\//.test(agent);
  if (!isAddress && flags.cardOnly) throw new UsageError("--card-only needs the address of an agent, not a run");
  const events = isAddress ? await testedAt(agent, flags, screen) : readRun(findRun(agent, new RunFolder()));
  if (!events) return exitCodes.interrupted;
  const report = foldRun(events);
  const forecast = runForecast({ events, report }, [...own, ...profiles]);
  if (!forecast) {
    screen.complain(report.message ?? `No forecast: ${agent} is not a run of an agent with a card.`);
    if (report.hint !== undefined) screen.complain(report.hint);
    return exitCodes.usage;
  }
  if (flags.json) screen.json(forecast, 2);
  else show(forecast, report.agentName, screen);
  return exitCodes.fine;
}

/** Tests the agent with few messages. The run is not recorded. Returns nothing if a signal interrupted it. */
async function testedAt(url: string, flags: ForecastFlags, screen: Screen): Promise<readonly RunEvent[] | undefined> {
  const { testAgent } = await import("@assay/suite");
  const { cardOnly, profile: _profile, json: _json, ...connection } = flags;
  const depth = cardOnly ? "card" : "quick";
  const given = defined({ ...connection, depth } as const);
  const { options } = await settingsOf(url, given, screen, projectsFor(url, {})[0]!);
  if (!flags.json) screen.aside().line(`Testing ${escapeText(url)} at depth ${depth} …`);
  const interruption = interruptible(screen, {
    timeout: flags.shutdownTimeout,
    onStop: () => screen.complain("Stopping and cleaning up. Press Ctrl-C again to stop at once."),
    unfinished: () => ["tasks that Assay started on the agent"],
  });
  try {
    const events: RunEvent[] = [];
    const run = testAgent({ ...options, depth, run: "forecast", signal: interruption.signal });
    for await (const event of run) events.push(event);
    return interruption.signal.aborted ? undefined : events;
  } finally {
    interruption.release();
  }
}

/** Reads a profile that `assay client --write-profile` wrote. */
function profileIn(file: string, read: (json: unknown) => ClientProfile | undefined): ClientProfile {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`Cannot read the profile ${file}: ${(error as Error).message}`);
  }
  const profile = read(jsonIn(text));
  if (!profile)
    throw new UsageError(
      `${file} is not a profile of a client`,
      "Write one with: assay client --write-profile <file> -- <command>",
    );
  return profile;
}

const signs: Readonly<Record<ClientForecast["verdict"], string>> = {
  works: "✓",
  "works with limits": "~",
  fails: "✗",
  unknown: "?",
};

function show({ clients, advice }: RunForecast, name: string, screen: Screen): void {
  const { line, colors } = screen;
  const colorOf = { works: colors.green, "works with limits": colors.yellow, fails: colors.red, unknown: colors.dim };
  const count = (verdict: ClientForecast["verdict"]): number =>
    clients.filter((each) => each.verdict === verdict).length;
  line(`${colors.bold(escapeText(name))}: forecast for ${clients.length} clients`);
  line();
  for (const { client, measured, verdict, because } of clients) {
    const text = escapeText(`${client.name} ${client.version}`.trim());
    const day = colors.dim(`, measured ${escapeText(measured)}`);
    line(`${colorOf[verdict](`${signs[verdict]} ${verdict.padEnd(17)}`)}  ${text}${day}`);
    if (because !== "") line(`${"".padEnd(21)}${colors.dim(escapeText(because))}`);
  }
  line();
  for (const { change, gains } of advice) line(`To reach ${gains} more: ${escapeText(change)}`);
  if (advice.length) line();
  line(
    `${count("works")} work, ${count("works with limits")} with limits, ${count("fails")} fail, ${count("unknown")} unknown`,
  );
}
