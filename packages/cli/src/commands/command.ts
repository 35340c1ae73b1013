import type { OptionRow, ValuesOf } from "@assay/suite/options";
import { type Command, Option } from "commander";
import type { ExitCode } from "../exit.ts";
import { addOptions } from "../option-flags.ts";
import type { Screen } from "../terminal/screen.ts";

/** Adds one command to the program; it reports how it ended. */
export type AddCommand = (program: Command, screen: Screen, done: (code: ExitCode) => void) => void;

/** In the place of a default: the flag has to be given. */
export const required = Symbol("required");

/** How the text of a flag is read: one of these words, or what a function makes of it. */
type Reader = readonly string[] | ((text: string, sofar?: never) => unknown);

/** A flag: how it is written, what it means, how its value is read (default: as text), and its default. */
export type FlagRow = readonly [usage: string, means: string, read?: Reader, fallback?: unknown];

type OptionTable = Readonly<Record<string, OptionRow>>;
type FlagEntry = FlagRow | OptionTable;

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
  : ValuesOf<Entry>;
type AllOf<Union> = (Union extends unknown ? (given: Union) => void : never) extends (given: infer All) => void
  ? All
  : never;

/** The values of these flags, as an action gets them. */
export type FlagsOf<Entries extends readonly FlagEntry[]> = AllOf<
  { [Index in keyof Entries]: EntryValues<Entries[Index]> }[number]
>;

export interface CommandDeclaration {
  readonly name: string;
  readonly does: string;
  readonly args?: readonly (readonly [usage: string, means?: string, fallback?: string])[];
  /** rows of its own, and tables that it shares with others, in the order of its help */
  readonly flags?: readonly FlagEntry[];
  /** stands behind the flags in the help */
  readonly help?: string;
  /** loads what the command does, so that the help of all others needs none of it: it gets the arguments, the flags and the screen */
  readonly action?: () => Promise<(...given: never[]) => Promise<ExitCode>>;
  readonly commands?: readonly CommandDeclaration[];
  readonly hidden?: true;
  readonly isDefault?: true;
}

/** Makes a command of its declaration. */
export const declare =
  (declaration: CommandDeclaration): AddCommand =>
  (program, screen, done) => {
    const { name, does, args = [], flags = [], help, action, commands = [], ...settings } = declaration;
    const command = program.command(name, settings).description(does);
    for (const [usage, means, fallback] of args) command.argument(usage, means, fallback);
    for (const entry of flags) {
      if (isRow(entry)) command.addOption(optionOf(entry));
      else addOptions(command, entry);
    }
    if (help !== undefined) command.addHelpText("after", help);
    for (const one of commands) declare(one)(command, screen, done);
    for (const one of command.commands) one.exitOverride();
    if (action)
      command.action(async (...given: unknown[]) => {
        // What commander gives last is the command itself. A declaration names the action that takes its flags.
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
