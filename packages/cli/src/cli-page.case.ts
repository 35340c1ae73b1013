import { connectionOptions, optionNames, optionOf } from "@assay/suite/options";
import { Command, type Option } from "commander";
import { createProgram } from "./main.ts";
import { addOptions } from "./option-flags.ts";
import { paperScreen } from "./screen.case.ts";
import { variablePrefix } from "./serving/settings.ts";

/** docs/cli.md, from what the commands declare: nothing about a flag is written twice. */

/** What is read from the environment. */
export const environment: Readonly<Record<string, string>> = {
  ASSAY_DEBUG: "shows where an error of our own happened",
  ...Object.assign({}, ...optionNames.map((name) => optionOf(name).environment)),
  CI: "plain lines instead of a live view",
  HTTP_PROXY: "the proxy for http addresses, in upper or lower case",
  HTTPS_PROXY: "the proxy for https addresses, in upper or lower case",
  NO_PROXY: "hosts that are reached without it, in upper or lower case",
  ITK_ACTS_AUTH: "`1`: `assay serve` asks for credentials where the corpus of ACTS expects it",
  ITK_ACTS_REDUCED_CAPABILITIES: "`1`: `assay serve` offers less where the corpus of ACTS expects it",
  OTEL_EXPORTER_OTLP_ENDPOINT:
    "`assay serve` sends traces to this collector; its other variables (`OTEL_SERVICE_NAME`, `OTEL_TRACES_SAMPLER`, …) count too",
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "the same, the whole address",
  OTEL_SDK_DISABLED: "`true`: no traces by these variables",
  NO_COLOR: "no colours",
  TERM: "`dumb`: no colours, and nothing is painted over",
};

/** How a command may end. */
export const endings: Readonly<Record<number, string>> = {
  0: "fine; of a test: no rule is broken, as far as was examined",
  1: "the agent is at fault, or a gate is shut (`--fail-on`, `--require-level`, `--min-examined`, a stale baseline); of `diff`: something became worse",
  2: "wrong usage, or no answer: not reachable, no card, a login, a payment, no message answered",
  3: "our own error, or a report that could not be written",
  130: "interrupted",
};

const head = `# The command line

Written by \`packages/cli/src/cli-page.test.ts\` from the commands themselves: after a change there, run it
with \`npx vitest run packages/cli/src/cli-page.test.ts -u\`. \`assay <command> --help\` says the same, with examples.

`;

/** A name of `env:NAME` or `@file` in the place of a secret is said once, beside the flags. */
const secrets = `Of every command that talks to an agent. Secrets are read from \`env:NAME\` or \`@file\`; one that is written out is used with a warning.

`;

export function cliPage(): string {
  const screen = paperScreen();
  const program = createProgram(screen, () => {});
  const connection = addOptions(new Command(), connectionOptions).options;
  // Commands that are not shown are called by ourselves alone.
  const shown = program
    .createHelp()
    .visibleCommands(program)
    .filter((command) => command.name() !== "help");
  const commands = shown.flatMap((command) => (command.commands.length ? command.commands : [command]));
  return [
    head,
    "| command | |\n|---|---|\n",
    ...commands.map(
      (command) => `| [\`${nameOf(command)}\`](#${anchorOf(command)}) | ${cell(command.description())} |\n`,
    ),
    ...commands.map((command) => section(command, connection, helpOf(command))),
    `\n## Connection flags\n\n${secrets}`,
    table(connection),
    "\n## Environment\n\n| variable | what it does |\n|---|---|\n",
    ...Object.entries(environment).map(([name, text]) => `| \`${name}\` | ${text} |\n`),
    `| \`${variablePrefix}…\` | each setting of \`assay serve\` ([operations.md](operations.md)) |\n`,
    "\n## Exit codes\n\n| code | |\n|---|---|\n",
    ...Object.entries(endings).map(([code, text]) => `| ${code} | ${text} |\n`),
    "\nOf several agents or repeats, the first of 3, 130, 2, 1, 0 that one of them ends with.\n",
  ].join("");
}

/** The whole help, with what is written behind the flags. */
function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (more) => (text += more) }).outputHelp();
  return text;
}

/** "assay push create" */
function nameOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at; at = at.parent) names.unshift(at.name());
  return names.join(" ");
}

const anchorOf = (command: Command): string => nameOf(command).replaceAll(" ", "-");

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function section(command: Command, connection: readonly Option[], help: string): string {
  const isConnected = connection.every(({ flags }) => command.options.some((option) => option.flags === flags));
  const isOwn = ({ flags }: Option): boolean => !isConnected || connection.every((option) => option.flags !== flags);
  const own = command.options.filter((option) => !option.hidden && isOwn(option));
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return { usage: argument.required ? `<${name}>` : `[${name}]`, description: argument.description };
  });
  const ending = /^Exit codes: (.*)/ms.exec(help)?.[1]?.replace(/\s+/g, " ").trim();
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

/** One table, or one under the heading of each group where `--help` has them. */
function tables(options: readonly Option[]): string {
  const headings = [...new Set(options.map(({ helpGroupHeading = "" }) => helpGroupHeading))];
  if (headings.length < 2) return table(options);
  const below = (heading: string) => table(options.filter(({ helpGroupHeading }) => helpGroupHeading === heading));
  return headings.map((heading) => `### ${heading.replace(":", "")}\n\n${below(heading)}`).join("\n");
}

const table = (options: readonly Option[]): string =>
  ["| flag | what it does | default |\n|---|---|---|\n", ...options.map(row)].join("");

function row({ flags, description, argChoices, defaultValue, negate }: Option): string {
  // "(default: 60)" or "(60 unless given)" stands at the end where the program finds out what goes without saying.
  const [, means, said] = /^(.*) \(default: (.*)\)$/s.exec(description) ?? [];
  const found = /^(.*?) \((?:([^();]*); )?([^();]*?),? unless (?:given|named)(:[^()]*)?\)$/s.exec(description);
  const [text, fallback] = found
    ? [`${found[1]}${found[2] === undefined ? "" : ` (${found[2]})`}`, `${found[3]}${found[4] ?? ""}`]
    : [means ?? description, said ?? ""];
  const choices = argChoices ? ` (${argChoices.join(", ")})` : "";
  const isPlain = typeof defaultValue === "string" || typeof defaultValue === "number";
  return `| \`${flags.replaceAll("|", "\\|")}\` | ${cell(text + choices)} | ${cell(isPlain && !negate ? String(defaultValue) : fallback)} |\n`;
}
