import { UsageError } from "@assay/protocol/assay-error";
import { didYouMean } from "@assay/protocol/core";
import {
  type connectionOptions,
  type LibraryOptions,
  type OptionRow,
  readOptions,
  type testOptions,
} from "@assay/suite/options";

/** How an agent is reached and who asks; as the flags of the command line, under the same names. */
export type ConnectionOptions = LibraryOptions<typeof connectionOptions>;

/** What a test may be told. Everything has the default of the command line; no file is read unless `config` names one. */
export interface AgentTestOptions extends LibraryOptions<typeof testOptions> {
  readonly signal?: AbortSignal;
}

/** The values of options that a program gives; one that is wrong is told in the words of the command line. */
export function valuesIn<T extends Readonly<Record<string, OptionRow>>>(
  table: T,
  given: object,
): ReturnType<typeof readOptions<T, "library">> {
  const known = Object.keys(table).filter((name) => table[name]?.library);
  return readOptions(table, given as Readonly<Record<string, unknown>>, "library", ({ name, kind, value, advice }) => {
    if (!kind) return new UsageError(`Unknown option "${name}".${didYouMean(name, known)}`);
    const found = kind.isSecret ? "this value" : (JSON.stringify(value)?.slice(0, 60) ?? String(value));
    return new UsageError(`Option "${name}": ${found} is invalid. ${advice}`);
  });
}
