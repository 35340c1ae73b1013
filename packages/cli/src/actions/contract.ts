import { existsSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ContractOutcome, ContractReport, ContractRequirement, Tier } from "@assay/clients";
import { version } from "@assay/library/version";
import { stringify } from "yaml";
import type { ClientFlags } from "../commands/client.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { interruptible } from "../shutdown/interruption.ts";
import { tellContract } from "../terminal/contract.ts";
import type { Screen } from "../terminal/screen.ts";
import { rejectIgnored } from "./ignored-flags.ts";

const defaultTimeout = 10;
const defaultFile = "compliance-report.yaml";

/** The flags of a measurement. The others select or judge situations, which a contract does not have. */
const own: readonly (keyof ClientFlags)[] = [
  "contract",
  "tier",
  "agentSkill",
  "out",
  "only",
  "list",
  "json",
  "timeout",
  "concurrency",
  "shutdownTimeout",
];

/** Runs `--contract`: measures a command-line client against its contract, and writes the report. */
export async function runContract(command: readonly string[], flags: ClientFlags, screen: Screen): Promise<ExitCode> {
  rejectIgnored("--contract", own, flags);
  const { contractReport, measureContract, requirements, toolName } = await import("@assay/clients");
  const only = chosenOf(flags.only, requirements);
  if (flags.list) return listRequirements(requirements, flags, screen);
  if (!command.length)
    throw new UsageError("--contract needs a command", "Example: assay client --contract a2a-cli -- ./a2a");
  const file = flags.out ?? defaultFile;
  if (!existsSync(dirname(resolve(file))))
    throw new UsageError(`--out ${file}: the folder does not exist`, "Create it, or name another file.");
  const people = flags.json ? screen.aside() : screen;
  const { signal, release } = interruptible(people, {
    timeout: flags.shutdownTimeout,
    onStop: () => people.line("Stopping. Press Ctrl-C again to stop at once."),
    unfinished: () => ["the command (killed)", "the report"],
  });
  try {
    const measurement = await measureContract({
      command: command.map(located),
      env: platformVariables(),
      version,
      timeoutMs: (flags.timeout ?? defaultTimeout) * 1_000,
      signal,
      ...(only && { only }),
      ...(flags.concurrency !== undefined && { concurrency: flags.concurrency }),
      ...(flags.agentSkill !== undefined && { agentSkill: skillOf(flags.agentSkill) }),
      onMeasured: (requirement, outcome, done) =>
        people.line(progressLine(requirement, outcome, `${done}/${requirements.length}`, people)),
    });
    if (measurement.trouble !== undefined) {
      people.complain(`assay: cannot start ${command[0]}: ${measurement.trouble}`);
      return exitCodes.usage;
    }
    const date = new Date().toISOString().slice(0, 10);
    const report = contractReport(measurement, { tool: toolName(command), version, date });
    writeFileSync(file, yamlOf(report));
    if (flags.json) screen.json(report, 2);
    tellContract({ report, outcomes: measurement.outcomes, requirements, file }, people);
    return signal.aborted ? exitCodes.interrupted : codeOf(report, flags.tier ?? 1);
  } finally {
    release();
  }
}

const codeOf = ({ summary }: ContractReport, tier: Tier): ExitCode =>
  summary[`tier_${tier}`].satisfied ? exitCodes.fine : exitCodes.agent;

const marks = { pass: "green", partial: "yellow", fail: "red", not_measured: "yellow", na: "dim" } as const;

const progressLine = (
  { id, title }: ContractRequirement,
  { status }: ContractOutcome,
  done: string,
  { colors }: Screen,
): string => `${colors.dim(done.padStart(5))} ${colors[marks[status]](status.padEnd(12))} ${id}  ${colors.dim(title)}`;

/** Returns the ids that `--only` selects: ids, and globs such as A2ACLI_OUT_*. */
function chosenOf(
  only: readonly string[] | undefined,
  all: readonly ContractRequirement[],
): readonly string[] | undefined {
  if (!only) return undefined;
  return only.flatMap((pattern) => {
    const glob = new RegExp(`^(A2ACLI_)?${pattern.replaceAll(/[^\w*]/g, "\\$&").replaceAll("*", ".*")}$`);
    const found = all.map(({ id }) => id).filter((id) => glob.test(id) || glob.test(id.replace("A2ACLI_", "")));
    if (!found.length)
      throw new UsageError(
        `--only ${pattern}: the contract has no such requirement`,
        "assay client --contract a2a-cli --list shows all of them.",
      );
    return found;
  });
}

/**
 * Makes files in the command absolute, because the tool runs in another folder. A shell finds a program without a slash
 * in PATH, so such a name stays. So does the name of a folder without a slash, which may mean anything.
 */
function located(word: string, index: number): string {
  const isPath = /[\\/]/.test(word);
  if (!existsSync(word) || (index === 0 && !isPath)) return word;
  return isPath || statSync(word).isFile() ? resolve(word) : word;
}

const skillOf = (given: string): string => {
  if (given !== "none" && !existsSync(given))
    throw new UsageError(`--agent-skill ${given}: no such folder`, "Pass a folder with a SKILL.md, or none.");
  return given === "none" ? given : resolve(given);
};

/** Returns the only variables of the user that the tool gets. They contain no credentials and no configuration. */
function platformVariables(): Readonly<Record<string, string | undefined>> {
  const { PATH, Path, SystemRoot, ComSpec, PATHEXT } = process.env;
  return { PATH: PATH ?? Path, ...(SystemRoot !== undefined && { SystemRoot, ComSpec, PATHEXT }) };
}

const yamlOf = (report: ContractReport): string => stringify(report, { lineWidth: 0 });

/** Runs `--list`: shows the requirements, and how Assay measures each. */
function listRequirements(all: readonly ContractRequirement[], { json }: ClientFlags, screen: Screen): ExitCode {
  if (json) screen.json(all, 2);
  else
    for (const { id, tier, title, measured } of all) {
      screen.line(`${screen.colors.bold(id.padEnd(26))} tier ${tier}  ${title}`);
      screen.line(`${"".padEnd(26)}         ${screen.colors.dim(measured)}`);
    }
  return exitCodes.fine;
}
