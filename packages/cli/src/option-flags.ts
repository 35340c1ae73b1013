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

/** Lists the available formats in the help text. */
export const reportOptions = {
  report: { ...reports.report, means: `write a report, to a file or to stdout: ${formatsInWords()} (repeatable)` },
};

/** A flag whose value is stored under the name of the option: `bindings` for `--binding`. */
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

/** Adds a flag for every option of a table, under this heading, or under each row's heading with "grouped". */
export function addOptions<T extends Command>(
  command: T,
  table: Readonly<Record<string, OptionRow>>,
  heading?: string,
): T {
  for (const [name, row] of Object.entries(table)) {
    const flags = [new OptionFlag(name, row)];
    if (row.off !== undefined) flags.push(new Option(flagOf(name).replace("--", "--no-"), row.off) as OptionFlag);
    const group = heading === "grouped" ? `${row.group}:` : heading;
    for (const flag of flags) command.addOption(group === undefined ? flag : flag.helpGroup(group));
  }
  return command;
}
