import type { Command, Option } from "commander";
import { type AssayCommand, optionText } from "../commands/help.ts";

/** A flag with everything that a shell needs to complete it. */
export interface ShellFlag {
  readonly names: readonly string[];
  readonly means: string;
  /** "optional": the word after the flag may be its value */
  readonly value: "none" | "optional" | "required";
  readonly choices: readonly string[];
}

/** A command with everything that a shell needs to complete it. */
export interface ShellCommand {
  /** the words after `assay`: "", "test" or "push create" */
  readonly path: string;
  readonly means: string;
  readonly flags: readonly ShellFlag[];
  readonly commands: readonly ShellCommand[];
}

/** The names under which the package installs the command. */
export const programNames = ["assay", "a2a-assay"] as const;

/** Returns the visible commands with all their flags, including those that only `--help-all` shows. */
export function shellTree(command: Command, path = ""): ShellCommand {
  const help = { names: ["--help", "-h"], means: "show the help", value: "none", choices: [] } as const;
  return {
    path,
    means: command.description(),
    flags: [...command.options.filter(({ hidden }) => !hidden).map(flagOf), help],
    commands: visibleCommands(command).map((each) => shellTree(each, `${path} ${each.name()}`.trim())),
  };
}

export const visibleCommands = (command: Command): AssayCommand[] =>
  command.createHelp().visibleCommands(command) as AssayCommand[];

const flagOf = (option: Option): ShellFlag => ({
  names: [option.long, option.short].filter((name) => name != null),
  means: optionText(option),
  value: option.required ? "required" : option.optional ? "optional" : "none",
  choices: option.argChoices ?? [],
});

/** Returns the command and all its subcommands. */
export const allOf = (command: ShellCommand): ShellCommand[] => [command, ...command.commands.flatMap(allOf)];

/** Returns the text by which the shell finds the command: the path so far, a space and the next word. */
export const stepTo = ({ path }: ShellCommand): string => (path.includes(" ") ? path : ` ${path}`);

export const lastWord = ({ path }: ShellCommand): string => path.slice(path.lastIndexOf(" ") + 1);

/** Returns the first sentence of a description, short enough for a menu. */
export function shortText(text: string): string {
  const [first = text] = text.split(/(?<=\.) |: (?=\w+, )|\n/);
  const line = first.replace(/\.$/, "");
  return line.length > 70 ? `${line.slice(0, 69).trimEnd()}…` : line;
}
