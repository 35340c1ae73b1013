import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { ClientTestOptions } from "@assay/clients";
import type { Settings } from "@assay/library/config";
import { checkedRules, readBaseline } from "@assay/library/config";
import { clientOptions } from "@assay/library/connection";
import { RunFolder } from "@assay/library/runs";
import { version } from "@assay/library/version";
import { defined } from "@assay/protocol";
import type { Situation } from "@assay/suite";
import type { ClientProfile } from "@assay/suite/forecast";
import type { RunEvent } from "@assay/suite/report";
import type { ClientFlags } from "../commands/client.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { takesOutput, targetsOf } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";
import { testOnce } from "../testing/one-run.ts";
import { listenForSuite, watchClients } from "./client-watch.ts";
import { rejectWithoutCommand } from "./ignored-flags.ts";

/** Runs `assay client`: tests the client, shows the findings, writes the reports, and returns the exit code. */
export async function runClient(command: readonly string[], flags: ClientFlags, screen: Screen): Promise<ExitCode> {
  if (flags.contract !== undefined) return (await import("./contract.ts")).runContract(command, flags, screen);
  const meant = (["tier", "agentSkill", "out"] as const).find((name) => flags[name] !== undefined);
  if (meant !== undefined)
    throw new UsageError(`--${meant === "agentSkill" ? "agent-skill" : meant} needs --contract a2a-cli`);
  const rules = await checkedRules(flags, flags.situation, "--situation");
  if (flags.list) return listSituations(rules, screen, flags.json === true);
  if (flags.listen && command.length)
    throw new UsageError("--listen cannot be combined with a command: the test suite runs the client");
  if (flags.listen) return listenForSuite(flags, screen);
  if (!command.length) rejectWithoutCommand(flags);
  else if (flags.port !== undefined)
    throw new UsageError("--port cannot be combined with a command", "Each situation has a free port.");
  const { shownCommand, testClient } = await import("@assay/clients");
  const reporters = await (await import("@assay/reporters")).loadReporters();
  const targets = targetsOf([...(flags.report ?? []), ...(flags.json ? ["json"] : [])], reporters);
  const where = targets.some(takesOutput) ? screen.aside() : screen;
  // Without a command, every request gets a line.
  const people = command.length ? where : { ...where, canRepaint: false };
  const options = optionsOf(command, flags, await checkedActions(flags.can));
  const events: RunEvent[] = [];
  const { code } = await testOnce({
    settings: settingsOf(shownCommand(command, process.env).text, flags, options),
    flags,
    targets,
    reporters,
    screen,
    people,
    folder: new RunFolder(),
    leaves: command.length ? "the client (killed)" : "open requests of clients",
    testAgent: ({ run, signal }) =>
      command.length
        ? noting(events, testClient({ ...options, run, ...(signal && { signal }) }))
        : watchClients({ ...options, run }, { flags, screen: people, ...(signal && { signal }) }),
  });
  const { writeProfile: file } = flags;
  if (file === undefined || !events.length) return code;
  const { profileOf, whyNoProfile } = await import("@assay/suite/forecast");
  const because = whyNoProfile(events);
  if (because === undefined) {
    writeFileSync(file, `${JSON.stringify(profileOf(events, clientNamed(flags.as, command)), null, 1)}\n`);
    return code;
  }
  screen.complain(`Assay did not write the profile ${file}: ${because}.`);
  return code === exitCodes.fine ? exitCodes.usage : code;
}

/** Passes events on and collects them. */
async function* noting(events: RunEvent[], run: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent, void> {
  for await (const event of run) {
    events.push(event);
    yield event;
  }
}

/** Reads `--as`. By default, the name is that of the program: its arguments may contain a token. */
function clientNamed(as: string | undefined, [program = ""]: readonly string[]): ClientProfile["client"] {
  // The name of an npm package may begin with "@".
  const [, name = as ?? basename(program), version = ""] = /^(.+)@([^@]*)$/.exec(as ?? "") ?? [];
  return { name, version };
}

/** Returns the actions of `--can`. Every version and binding is found with "send". */
async function checkedActions(given: readonly string[] | undefined): Promise<ClientTestOptions["can"]> {
  if (given === undefined) return undefined;
  const { clientActions } = await import("@assay/suite");
  return ["send", ...given].map((name) => {
    const action = clientActions.find((each) => each === name);
    if (action) return action;
    throw new UsageError(`--can ${name}: unknown action`, `Actions are ${clientActions.join(", ")}.`);
  });
}

function optionsOf(
  command: readonly string[],
  flags: ClientFlags,
  can: ClientTestOptions["can"],
): Omit<ClientTestOptions, "run" | "signal"> {
  const {
    situation: situations,
    bindings,
    dialects,
    only,
    skip,
    timeout,
    concurrency,
    strict,
    ruleSet,
    faults,
    stdin,
  } = flags;
  return {
    command,
    env: process.env,
    version,
    baseline: flags.baseline === undefined || isFirstUpdate(flags) ? [] : readBaseline(flags.baseline),
    ...defined({ situations, bindings, dialects, only, skip, concurrency, strict, ruleSet, faults, stdin, can }),
    ...(flags.writeProfile !== undefined && { profiled: true }),
    ...(timeout !== undefined && { timeout: timeout * 1_000 }),
  };
}

/** Returns true if --baseline-update creates the file. */
function isFirstUpdate({ baseline, baselineUpdate }: ClientFlags): boolean {
  if (!baselineUpdate || baseline === undefined) return false;
  try {
    readBaseline(baseline);
    return false;
  } catch {
    return true;
  }
}

/** Returns the settings that client runs share with agent runs. */
function settingsOf(url: string, flags: ClientFlags, { baseline = [] }: Pick<ClientTestOptions, "baseline">): Settings {
  const { failOn, requireLevel, minExamined } = flags;
  return {
    url,
    options: { url, version, connection: clientOptions([], {}) },
    gates: {
      ...defined({ failOn, requireLevel, minExamined }),
    },
    baseline,
    ...(flags.baseline !== undefined && { baselineFile: flags.baseline }),
  };
}

/** Returns the flag that a situation needs, in parentheses. */
function flagFor({ faulty, draft, profiled }: Pick<Situation, "faulty" | "draft" | "profiled">): string {
  if (faulty) return " (with --faults)";
  if (draft) return ` (with --spec ${draft})`;
  return profiled ? " (with --write-profile)" : "";
}

/** Runs `--list`: shows the situations and the rules that each can examine. */
async function listSituations(rules: readonly string[], screen: Screen, json: boolean): Promise<ExitCode> {
  const { situationChecks, situations } = await import("@assay/suite");
  const rows = situations.map(({ id, action, asks, ...kind }) => ({
    situation: id,
    action,
    asks: `${asks}${flagFor(kind)}`,
    rules: situationChecks
      .filter((check) => check.in.some((each) => each === id) && rules.includes(check.id))
      .map((check) => check.id),
  }));
  if (json) screen.json(rows, 2);
  else {
    const width = Math.max(...rows.map(({ situation }) => situation.length));
    for (const { situation, action, asks, rules: shown } of rows) {
      screen.line(`${screen.colors.bold(situation.padEnd(width))}  ${action.padEnd(9)}  ${asks}`);
      if (shown.length) screen.line(`${"".padEnd(width)}  ${"".padEnd(9)}  ${screen.colors.dim(shown.join(", "))}`);
    }
    screen.line();
    screen.line("Assay judges any other call, too (assay coverage --rows).");
  }
  return exitCodes.fine;
}
