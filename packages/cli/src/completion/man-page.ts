import type { Option } from "commander";
import { type AssayCommand, defaultOf, optionText } from "../commands/help.ts";
import { visibleCommands } from "./shell-tree.ts";

/** Writes the man page in the macros of man(7). */
export function manPage(program: AssayCommand): string {
  const commands = visibleCommands(program).flatMap((command) => {
    const inner = visibleCommands(command);
    return inner.length ? inner : [command];
  });
  const lines = [
    `.TH ASSAY 1 "" "assay ${program.version()}" "User Commands"`,
    ".SH NAME",
    "assay \\- test A2A agents and clients for conformance",
    ".SH SYNOPSIS",
    ".B assay",
    ".I command",
    "[\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    escaped(program.description()),
    ".SH COMMANDS",
    ...commands.flatMap(commandLines),
    ".SH EXIT STATUS",
    ...exitLines(program),
    ".SH EXAMPLES",
    ...(program.helpText().examples ?? []).flatMap(([line, remark = ""]) => item(`\\fB${escaped(line)}\\fR`, remark)),
  ];
  return `${lines.join("\n")}\n`;
}

function commandLines(command: AssayCommand): string[] {
  const usage = command.createHelp().commandUsage(command);
  return [
    `.SS "${escaped(usage).replaceAll('"', "")}"`,
    escaped(command.description()),
    ...command.registeredArguments.flatMap((argument) =>
      item(`\\fI${escaped(argument.name())}\\fR`, argument.description),
    ),
    ...command.options.filter(({ hidden }) => !hidden).flatMap(optionLines),
  ];
}

function optionLines(option: Option): string[] {
  const fallback = defaultOf(option) === undefined ? "" : ` (default: ${defaultOf(option)})`;
  return item(`\\fB${escaped(option.flags)}\\fR`, `${optionText(option)}${fallback}`);
}

const exitLines = (program: AssayCommand): string[] =>
  Object.entries(program.helpText().exitCodes ?? {}).flatMap(([code, text]) => item(`\\fB${code}\\fR`, text));

const item = (term: string, text: string): string[] => [".TP", term, escaped(text) || "\\&"];

/**
 * Escapes text, so that a dot or a quote at the start of a line does not become a macro, and so that a terminal without
 * UTF-8 loses no character.
 */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/\s+/g, " ")
    .replaceAll("…", "...")
    .replaceAll("§", "\\(sc")
    .replace(/^(?=[.'])/, "\\&");
