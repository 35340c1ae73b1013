import type { OptionRow, ValuesOf } from "@assay/suite/options";
import { Option } from "commander";
import type { ExitCode } from "../exit.ts";
import { addOptions } from "../option-flags.ts";
import type { Screen } from "../terminal/screen.ts";
import type { AssayCommand, HelpText } from "./help.ts";

/** Adds one command to the program; the command passes its exit code to `done`. */
export type AddCommand = (program: AssayCommand, screen: Screen, done: (code: ExitCode) => void) => void;

/** The groups of `assay --help`, in their order. */
export const commandGroups = {
  test: "Test an agent or a client:",
  understand: "Understand the result:",
  build: "Build against an agent:",
  many: "Test many agents:",
} as const;

/** Marks a mandatory flag, in place of a default value. */
export const required = Symbol("required");

/** Reads the text of a flag: a list of choices, or a parser function. */
type Reader = readonly string[] | ((text: string, sofar?: never) => unknown);

/** A flag: its usage, its help text, its reader (default: plain text) and its default value. */
export type FlagRow = readonly [usage: string, means: string, read?: Reader, fallback?: unknown];

type OptionTable = Readonly<Record<string, OptionRow>>;
/** A string is the heading of the flags after it. */
type FlagEntry = string | FlagRow | OptionTable;

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
type NameIn<Usage> = Usage extends `--no-${infer Name}`
  ? Camel<Name>
  : Usage extends `--${infer Name} ${string}`
    ? Camel<Name>
    : Usage extends `--${infer Name}`
      ? Camel<Name>
      : never;
type ReadBy<R> = R extends readonly (infer Word)[]
  ? Word
  : R extends (...given: never[]) => infer Value
    ? Value
    : string;
type RowValues<Usage, Rest> = Rest extends readonly [infer R, unknown]
  ? { readonly [Name in NameIn<Usage>]: ReadBy<R> }
  : {
      readonly [Name in NameIn<Usage>]?: Rest extends readonly [infer R]
        ? ReadBy<R>
        : Usage extends `${string} [${string}`
          ? string | true
          : Usage extends `${string} ${string}`
            ? string
            : boolean;
    };
type EntryValues<Entry> = Entry extends readonly [infer Usage, string, ...infer Rest]
  ? RowValues<Usage, Rest>
  : Entry extends string
    ? Readonly<Record<never, never>>
    : ValuesOf<Entry>;
type AllOf<Union> = (Union extends unknown ? (given: Union) => void : never) extends (given: infer All) => void
  ? All
  : never;

/** The values of these flags as an action receives them. */
export type FlagsOf<Entries extends readonly FlagEntry[]> = AllOf<
  { [Index in keyof Entries]: EntryValues<Entries[Index]> }[number]
>;

export interface CommandDeclaration extends HelpText {
  readonly name: string;
  /** the section of `assay --help` that lists it */
  readonly group?: keyof typeof commandGroups;
  readonly does: string;
  readonly args?: readonly (readonly [usage: string, means?: string, fallback?: string])[];
  /** headings, the command's own flags, and tables it shares with other commands, in the order of its help */
  readonly flags?: readonly FlagEntry[];
  /**
   * loads the action on demand, so that `--help` stays fast; the action gets the arguments, the flags and the screen
   */
  readonly action?: () => Promise<(...given: never[]) => Promise<ExitCode>>;
  readonly commands?: readonly CommandDeclaration[];
  readonly hidden?: true;
  readonly isDefault?: true;
}

/** Builds a command from its declaration. */
export const declare =
  (name: string, declaration: Omit<CommandDeclaration, "name">): AddCommand =>
  (program, screen, done) => {
    const { group, does, args = [], flags = [], action, commands = [], hidden, isDefault, ...text } = declaration;
    const command = program
      .command(name, { ...(hidden && { hidden }), ...(isDefault && { isDefault }) })
      .description(does)
      .helpText(text)
      .helpOption("-h, --help", "show this help");
    const path = `${program.parent ? `${program.name()} ` : ""}${name}`;
    command.showHelpAfterError(`Run "assay ${path} --help" to see the usage.`);
    if (group) command.helpGroup(commandGroups[group]);
    for (const [usage, means, fallback] of args) command.argument(usage, means, fallback);
    let heading: string | undefined;
    for (const entry of flags) {
      if (typeof entry === "string") heading = `${entry}:`;
      else if (isRow(entry)) command.addOption(heading ? optionOf(entry).helpGroup(heading) : optionOf(entry));
      else addOptions(command, entry, heading);
    }
    for (const { name: inner, ...one } of commands) declare(inner, one)(command, screen, done);
    for (const one of command.commands) one.exitOverride();
    if (action)
      command.action(async (...given: unknown[]) => {
        // Commander passes the command itself as the last argument.
        const act = (await action()) as (...given: unknown[]) => Promise<ExitCode>;
        done(await act(...given.slice(0, -1), screen));
      });
  };

const isRow = (entry: FlagEntry): entry is FlagRow => Array.isArray(entry);

function optionOf([usage, means, read, fallback]: FlagRow): Option {
  const option = new Option(usage, means);
  if (typeof read === "function") option.argParser(read as (text: string, sofar: unknown) => unknown);
  else if (read) option.choices(read);
  if (fallback === required) option.makeOptionMandatory();
  else if (fallback !== undefined) option.default(fallback);
  return option;
}
