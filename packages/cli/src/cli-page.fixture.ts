import { connectionOptions, optionNames, optionOf } from "@assay/suite/options";
import { Command, type Option } from "commander";
import { type AssayCommand, defaultOf, optionText } from "./commands/help.ts";
import { createProgram } from "./main.ts";
import { addOptions } from "./option-flags.ts";
import { paperScreen } from "./screen.fixture.ts";
import { variablePrefix } from "./serving/settings.ts";

/** Generates docs/cli.md from the declarations of the commands. */

/** The environment variables that the command line reads. */
export const environment: Readonly<Record<string, string>> = {
  ASSAY_DEBUG: "print the stack trace of an internal error",
  ...Object.assign({}, ...optionNames.map((name) => optionOf(name).environment)),
  CI: "print plain lines instead of a live view, and open no browser",
  DISPLAY: "assay ui, assay demo: on Linux, open a browser only if this or WAYLAND_DISPLAY is set",
  HTTP_PROXY: "proxy for http URLs; the lower-case name works, too",
  HTTPS_PROXY: "proxy for https URLs; the lower-case name works, too",
  NO_PROXY: "hosts to reach without the proxy; the lower-case name works, too",
  ITK_ACTS_AUTH: "`1`: `assay serve` requires credentials where the ACTS corpus expects it",
  ITK_ACTS_REDUCED_CAPABILITIES: "`1`: `assay serve` offers fewer capabilities where the ACTS corpus expects it",
  OTEL_EXPORTER_OTLP_ENDPOINT:
    "collector to which `assay serve` sends traces; the other OpenTelemetry variables (`OTEL_SERVICE_NAME`, `OTEL_TRACES_SAMPLER`, …) apply, too",
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "the same, as the complete URL",
  OTEL_SDK_DISABLED: "`true`: ignore these variables and send no traces",
  NO_COLOR: "print no colours",
  NODE_EXTRA_CA_CERTS: "more certificates to accept, read by Node; `assay doctor` checks the file",
  NODE_TLS_REJECT_UNAUTHORIZED: "has no effect: Assay checks certificates unless `--insecure` is given",
  SSH_CONNECTION: "assay ui, assay demo: open no browser on a machine you are connected to",
  WAYLAND_DISPLAY: "see DISPLAY",
  TERM: "`dumb`: print no colours and no live view",
};

/** The exit codes of all commands. */
export const endings: Readonly<Record<number, string>> = {
  0: "success; for a test: no rule is broken, as far as examined",
  1: "the agent or client is at fault, or the result is below `--fail-on`, `--require-level` or `--min-examined`, or the baseline is out of date; for `diff`: something got worse",
  2: "wrong usage, or inconclusive: unreachable, no card, credentials or a payment required, or no message answered",
  3: "internal error, or a report could not be written",
  130: "interrupted",
};

const head = `# The command line

This page lists every command and every option of Assay. \`assay <command> --help\` shows the same in the terminal, with
examples. The page is generated from the code: \`npx vitest run packages/cli/src/cli-page.test.ts -u\` updates it.

`;

const secrets = `Every command that connects to an agent accepts these flags. Pass secrets as \`env:NAME\` or \`@file\`. Assay accepts a
literal secret, too, but warns about it.

`;

export function cliPage(): string {
  const screen = paperScreen();
  const program = createProgram(screen, () => {});
  const connection = addOptions(new Command(), connectionOptions).options;
  const shown = program.createHelp().visibleCommands(program) as AssayCommand[];
  const commands = shown.flatMap((command) =>
    command.commands.length ? command.commands : [command],
  ) as AssayCommand[];
  return [
    head,
    "| command | |\n|---|---|\n",
    ...commands.map(
      (command) => `| [\`${nameOf(command)}\`](#${anchorOf(command)}) | ${cell(command.description())} |\n`,
    ),
    ...commands.map((command) => section(command, connection)),
    `\n## Connection flags\n\n${secrets}`,
    table(connection),
    "\n## Environment\n\n| variable | meaning |\n|---|---|\n",
    ...Object.entries(environment).map(([name, text]) => `| \`${name}\` | ${text} |\n`),
    `| \`${variablePrefix}…\` | each setting of \`assay serve\` ([operations.md](operations.md)) |\n`,
    "\n## Exit codes\n\n| code | |\n|---|---|\n",
    ...Object.entries(endings).map(([code, text]) => `| ${code} | ${text} |\n`),
    "\nWith several agents or repeats, Assay exits with the first of 3, 130, 2, 1 and 0 that occurs.\n",
  ].join("");
}

/** Returns the full name of a command, such as "assay push create". */
export function nameOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at; at = at.parent) names.unshift(at.name());
  return names.join(" ");
}

const anchorOf = (command: Command): string => nameOf(command).replaceAll(" ", "-");

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function section(command: AssayCommand, connection: readonly Option[]): string {
  const isConnected = connection.every(({ flags }) => command.options.some((option) => option.flags === flags));
  const isOwn = ({ flags }: Option): boolean => !isConnected || connection.every((option) => option.flags !== flags);
  const own = command.options.filter((option) => !option.hidden && isOwn(option) && option.long !== "--help-all");
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return { usage: argument.required ? `<${name}>` : `[${name}]`, description: argument.description };
  });
  const ending = Object.entries(command.helpText().exitCodes ?? {})
    .map(([code, text]) => `${code} ${text}`)
    .join(" · ");
  return [
    `\n## ${nameOf(command)}\n\n`,
    `\`${[nameOf(command), ...args.map(({ usage }) => usage)].join(" ")}\`\n\n${cell(command.description())}\n\n`,
    ...args.map(({ usage, description }) => `- \`${usage}\`: ${cell(description)}\n`),
    args.length && (own.length || isConnected) ? "\n" : "",
    own.length ? tables(own) : "",
    isConnected ? `${own.length ? "\n" : ""}And the [connection flags](#connection-flags).\n` : "",
    ending ? `\nExit codes: ${cell(ending)}\n` : "",
  ].join("");
}

/** Returns one table of flags, or one for each heading of `--help`. */
function tables(options: readonly Option[]): string {
  const headingOf = ({ helpGroupHeading = "Options:" }: Option) => helpGroupHeading.replace(":", "");
  const headings = [...new Set(options.map(headingOf))];
  if (headings.length < 2) return table(options);
  const below = (heading: string) => table(options.filter((option) => headingOf(option) === heading));
  return headings.map((heading) => `### ${heading}\n\n${below(heading)}`).join("\n");
}

const table = (options: readonly Option[]): string =>
  ["| flag | what it does | default |\n|---|---|---|\n", ...options.map(row)].join("");

function row(option: Option): string {
  const text = optionText(option);
  const [, means = text, said = ""] = /^(.*) \(default: (.*)\)$/s.exec(text) ?? [];
  return `| \`${option.flags.replaceAll("|", "\\|")}\` | ${cell(means)} | ${cell(defaultOf(option) ?? said)} |\n`;
}
