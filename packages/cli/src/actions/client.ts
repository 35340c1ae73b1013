import { writeFileSync } from "node:fs";
import type { ClientTestOptions } from "@assay/clients";
import type { Settings } from "@assay/library/config";
import { checkedRules, readBaseline } from "@assay/library/config";
import { clientOptions } from "@assay/library/connection";
import { RunFolder } from "@assay/library/runs";
import { version } from "@assay/library/version";
import { defined } from "@assay/protocol";
import type { Situation } from "@assay/suite";
import type { RunEvent } from "@assay/suite/report";
import type { ClientFlags } from "../commands/client.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { takesOutput, targetsOf } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";
import { testOnce } from "../testing/one-run.ts";
import { listenForSuite, watchClients } from "./client-watch.ts";

/** The whole command: test the client, show what is found, leave the reports, and say how it went. */
export async function runClient(command: readonly string[], flags: ClientFlags, screen: Screen): Promise<ExitCode> {
  if (flags.contract !== undefined) return (await import("./contract.ts")).runContract(command, flags, screen);
  const meant = (["tier", "agentSkill", "out"] as const).find((name) => flags[name] !== undefined);
  if (meant !== undefined)
    throw new UsageError(`--${meant === "agentSkill" ? "agent-skill" : meant} needs --contract a2a-cli`);
  const rules = await checkedRules(flags, flags.situation, "--situation");
  if (flags.list) return listSituations(rules, screen, flags.json === true);
  if (flags.listen && command.length)
    throw new UsageError("--listen cannot be combined with a command: the test suite runs the client");
  if (flags.writeProfile !== undefined && !command.length)
    throw new UsageError(
      "--write-profile needs the command of the client: assay client --write-profile <file> -- <command>",
    );
  if (flags.listen) return listenForSuite(flags, screen);
  const { testClient } = await import("@assay/clients");
  const reporters = await (await import("@assay/reporters")).loadReporters();
  const targets = targetsOf([...(flags.report ?? []), ...(flags.json ? ["json"] : [])], reporters);
  const where = targets.some(takesOutput) ? screen.aside() : screen;
  // Without a command, every request gets a line.
  const people = command.length ? where : { ...where, canRepaint: false };
  const options = optionsOf(command, flags);
  const events: RunEvent[] = [];
  const { code } = await testOnce({
    settings: settingsOf(command, flags, options),
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
  if (flags.writeProfile !== undefined && events.length)
    await writeProfile(flags.writeProfile, events, command, flags.as);
  return code;
}

/** Passes events on and keeps them. */
async function* noting(events: RunEvent[], run: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent, void> {
  for await (const event of run) {
    events.push(event);
    yield event;
  }
}

/** `--write-profile`: writes what the run shows of the client. */
async function writeProfile(
  file: string,
  events: readonly RunEvent[],
  command: readonly string[],
  as: string = command.join(" "),
): Promise<void> {
  const { profileOf } = await import("@assay/suite/forecast");
  // The name of an npm package may begin with "@".
  const [, name = as, version = ""] = /^(.+)@([^@]*)$/.exec(as) ?? [];
  writeFileSync(file, `${JSON.stringify(profileOf(events, { name, version }), null, 1)}\n`);
}

function optionsOf(command: readonly string[], flags: ClientFlags): Omit<ClientTestOptions, "run" | "signal"> {
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
    ...defined({ situations, bindings, dialects, only, skip, concurrency, strict, ruleSet, faults, stdin }),
    ...(flags.writeProfile !== undefined && { profiled: true }),
    ...(timeout !== undefined && { timeout: timeout * 1_000 }),
  };
}

/** The first update makes the file. */
function isFirstUpdate({ baseline, baselineUpdate }: ClientFlags): boolean {
  if (!baselineUpdate || baseline === undefined) return false;
  try {
    readBaseline(baseline);
    return false;
  } catch {
    return true;
  }
}

/** The options that a run of agents and of clients have in common. */
function settingsOf(
  command: readonly string[],
  flags: ClientFlags,
  { baseline = [] }: Pick<ClientTestOptions, "baseline">,
): Settings {
  const { failOn, requireLevel, minExamined } = flags;
  const url = command.join(" ");
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

/** `--list`: what a client can be put into, and which rules that can show. */
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
