import { formatsInWords } from "@assay/reporters/formats";
import {
  type configOptions,
  flagOf,
  helpOf,
  type OptionRow,
  reportOptions as reports,
  type ValuesOf,
} from "@assay/suite/options";
import { type Command, Option } from "commander";
import { parserOf } from "./flag-values.ts";

export type ConfigFlags = ValuesOf<typeof configOptions>;

/** With the formats that there are. */
export const reportOptions = {
  report: { ...reports.report, means: `write a report: ${formatsInWords()}; to a file or to the output (repeatable)` },
};

/** A flag whose value is kept under the name of its option: `bindings` for `--binding`. */
class OptionFlag extends Option {
  readonly #name: string;

  constructor(name: string, { is, ...row }: Pick<OptionRow, "is" | "means" | "default">) {
    const { placeholder, choices } = is;
    const value = placeholder === undefined ? "" : /^\[/.test(placeholder) ? ` ${placeholder}` : ` <${placeholder}>`;
    super(`${flagOf(name)}${value}`, helpOf(row));
    this.#name = name;
    if (placeholder !== undefined) this.argParser(parserOf(is));
    if (choices) this.argChoices = [...choices];
  }

  override attributeName(): string {
    return this.#name;
  }
}

/** Gives a command a flag for every option of a table; under the headings of its groups, where they are many. */
export function addOptions(
  command: Command,
  table: Readonly<Record<string, OptionRow>>,
  { grouped = false } = {},
): Command {
  for (const [name, row] of Object.entries(table)) {
    const flags = [new OptionFlag(name, row)];
    if (row.off !== undefined) flags.push(new Option(flagOf(name).replace("--", "--no-"), row.off) as OptionFlag);
    for (const flag of flags) command.addOption(grouped ? flag.helpGroup(`${row.group}:`) : flag);
  }
  return command;
}
