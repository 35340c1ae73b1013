import { UsageError } from "@assay/protocol/assay-error";
import { didYouMean } from "@assay/protocol/core";
import {
  type connectionOptions,
  type LibraryOptions,
  type OptionRow,
  readOptions,
  type testOptions,
} from "@assay/suite/options";

/** Options for the connection and the credentials, with the names of the command-line flags. */
export type ConnectionOptions = LibraryOptions<typeof connectionOptions>;

/** Options of a test, with the defaults of the command line. Reads a config file only if `config` names one. */
export interface AgentTestOptions extends LibraryOptions<typeof testOptions> {
  readonly signal?: AbortSignal;
}

/** Returns the option values of a program. Reports an invalid one in the same words as the command line. */
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
