import { type connectionOptions, flagOf, type OptionName, type ValuesOf } from "@assay/suite/options";
import type { Masker } from "@assay/wire";

/** How an agent is reached and as whom, as the caller gave it. */
export type ConnectionValues = ValuesOf<typeof connectionOptions>;

/** Whoever gives options: the command line, which prints, or a program, which is told by errors alone. */
export interface OptionCaller {
  /** says what the operator should know, and is no error */
  complain(text: string): void;
  /** from now on whatever is said is masked by this one too */
  hideBy(masker: Masker): void;
  /** a person is watching, who may want to see more */
  readonly isTerminal?: boolean;
  /** how this caller writes an option; as a flag without it */
  nameOf?(option: OptionName): string;
}

/** A program that uses the library: nothing is printed, and options have their own names. */
export const program: OptionCaller = { complain() {}, hideBy() {}, nameOf: (option) => option };

export const nameFor = ({ nameOf = flagOf }: Pick<OptionCaller, "nameOf">, option: OptionName): string =>
  nameOf(option);
