import { type connectionOptions, flagOf, type OptionName, type ValuesOf } from "@assay/suite/options";
import type { Masker } from "@assay/wire";

/** The connection options and credentials from the caller. */
export type ConnectionValues = ValuesOf<typeof connectionOptions>;

/** The source of the options: the command line, which prints messages, or a program, which receives only errors. */
export interface OptionCaller {
  /** shows the operator a message that is not an error */
  complain(text: string): void;
  /** adds a masker for all later messages */
  hideBy(masker: Masker): void;
  /** a person is watching and may want more detail */
  readonly isTerminal?: boolean;
  /** returns the caller's name for an option (default: the flag) */
  nameOf?(option: OptionName): string;
}

/** A program that uses the library: nothing is printed, and options have their own names. */
export const program: OptionCaller = { complain() {}, hideBy() {}, nameOf: (option) => option };

export const nameFor = ({ nameOf = flagOf }: Pick<OptionCaller, "nameOf">, option: OptionName): string =>
  nameOf(option);
