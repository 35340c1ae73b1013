import { type Argument, Command, Help, type Option } from "commander";

/** The maximum width of help texts, which fits the narrowest common terminal. */
export const helpWidth = 80;

/** The maximum width of a flag. A longer flag gets its own line, so that other descriptions keep their space. */
const widestTerm = 28;

/** A command line to copy, with a remark. */
export type Example = readonly [command: string, remark?: string];

/** The parts of a help text besides arguments and options. */
export interface HelpText {
  readonly examples?: readonly Example[];
  /** paragraphs after the options */
  readonly notes?: readonly string[];
  readonly exitCodes?: Readonly<Record<number, string>>;
}

/** A command whose help starts with examples, and which may keep rare options for `--help-all`. */
export class AssayCommand extends Command {
  #text: HelpText = {};
  #common: ReadonlySet<string> | undefined;
  #showsAll = false;

  helpText(): HelpText;
  helpText(text: HelpText): this;
  helpText(text?: HelpText): this | HelpText {
    if (text === undefined) return this.#text;
    this.#text = text;
    return this;
  }

  /** Limits `--help` to these flags and adds `--help-all`, which shows every option. */
  commonFlags(flags: readonly string[]): this {
    this.#common = new Set([...flags, "--help", "--help-all"]);
    return this.on("option:help-all", () => this.showAll().help());
  }

  showAll(): this {
    this.#showsAll = true;
    return this;
  }

  hides(option: Option): boolean {
    return !this.#showsAll && this.#common !== undefined && !this.#common.has(option.long ?? "");
  }

  /** Overrides a method of Commander that its types leave out. */
  missingArgument(name: string): void {
    this.error(this.#withExample(`error: missing required argument '${name}'`), {
      code: "commander.missingArgument",
    });
  }

  /** Overrides a method of Commander that its types leave out. */
  missingMandatoryOptionValue({ flags }: Option): void {
    this.error(this.#withExample(`error: required option '${flags}' not specified`), {
      code: "commander.missingMandatoryOptionValue",
    });
  }

  #withExample(message: string): string {
    const example = this.#text.examples?.[0]?.[0];
    return example === undefined ? message : `${message}\nFor example: ${example}`;
  }

  override createCommand(name?: string): AssayCommand {
    return new AssayCommand(name);
  }

  override createHelp(): Help {
    return new AssayHelp();
  }
}

class AssayHelp extends Help {
  override visibleOptions(command: AssayCommand): Option[] {
    return super.visibleOptions(command).filter((option) => !command.hides(option));
  }

  override visibleCommands(command: AssayCommand): Command[] {
    // `assay help <command>` works, but the text recommends --help.
    return super.visibleCommands(command).filter((each) => each.name() !== "help");
  }

  override subcommandTerm(command: AssayCommand): string {
    return command.name();
  }

  override commandUsage(command: AssayCommand): string {
    const names: string[] = [];
    for (let at: Command | null = command; at; at = at.parent) names.unshift(at.name());
    const args = command.registeredArguments.map((argument) => argumentUsage(argument));
    const isGroup = command.commands.length > 0 && args.length === 0;
    return [...names, ...(isGroup ? ["<command>"] : args), "[options]"].join(" ");
  }

  override optionDescription(option: Option): string {
    return optionText(option) + (defaultOf(option) === undefined ? "" : ` (default: ${defaultOf(option)})`);
  }

  override argumentDescription({ description, defaultValue }: Argument): string {
    return defaultValue === undefined ? description : `${description} (default: ${String(defaultValue)})`;
  }

  override padWidth(command: AssayCommand, helper: AssayHelp): number {
    return Math.min(widestTerm, super.padWidth(command, helper));
  }

  override formatItem(term: string, termWidth: number, description: string, helper: AssayHelp): string {
    if (term.length <= termWidth) return super.formatItem(term, termWidth, description, helper);
    return `  ${term}\n${super.formatItem("", termWidth, description, helper)}`;
  }

  override formatHelp(command: AssayCommand, helper: AssayHelp): string {
    const { examples = [], notes = [], exitCodes = {} } = command.helpText();
    const width = this.helpWidth ?? helpWidth;
    const codes = Object.entries(exitCodes).map(([code, text]) => helper.formatItem(code, 3, text, helper));
    const [usage = "", ...parts] = super.formatHelp(command, helper).trimEnd().split("\n\n");
    const [description, ...lists] = command.description() ? parts : ["", ...parts];
    // If there are commands to choose from, they come before the options.
    const isLast = (list: string) => command.commands.length > 0 && list.startsWith("Options:");
    return [
      description,
      usage,
      examples.length && ["Examples:", ...exampleLines(examples, width)].join("\n"),
      ...lists.filter((list) => !isLast(list)),
      ...lists.filter(isLast),
      ...notes.map((note) => helper.boxWrap(note, width)),
      codes.length && ["Exit codes:", ...codes].join("\n"),
    ]
      .filter(Boolean)
      .join("\n\n")
      .concat("\n");
  }
}

/** Formats examples: all remarks beside their commands if they fit there, otherwise above them. */
function exampleLines(examples: readonly Example[], width: number): string[] {
  const column = Math.max(...examples.map(([command]) => command.length)) + 2;
  const fits = examples.every(([, remark = ""]) => remark === "" || column + remark.length + 4 <= width);
  return examples.flatMap(([command, remark]) => {
    if (remark === undefined) return [`  $ ${command}`];
    return fits ? [`  $ ${command.padEnd(column)}${remark}`] : [`  # ${remark}`, `  $ ${command}`];
  });
}

const argumentUsage = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

/** Returns the description of an option with its choices, without its default. */
export function optionText({ description, argChoices }: Option): string {
  const [, means = description, said] = /^(.*?)( \(default: .*\))?$/s.exec(description) ?? [];
  if (!argChoices?.length || argChoices.every((each) => means.includes(each))) return description;
  const choices = [argChoices.slice(0, -1).join(", "), argChoices.at(-1)].filter(Boolean).join(" or ");
  return `${means}: ${choices}${said ?? ""}`;
}

/** Returns the default that the parser fills in. A default that Assay determines later is part of the description. */
export const defaultOf = ({ defaultValue, negate }: Option): string | undefined =>
  negate || (typeof defaultValue !== "string" && typeof defaultValue !== "number") ? undefined : String(defaultValue);
