import { adviceOn, type Kind, taken } from "./kind.ts";
import { type OptionRow, testOptions } from "./test-options.ts";

type Table = typeof testOptions;
export type OptionName = keyof Table;
type Rows = Readonly<Record<string, OptionRow>>;

type ValueOf<R> = R extends { readonly is: { read(text: string): infer T } } ? Exclude<T, undefined> : never;
type GivenOf<R> = R extends { readonly is: { readonly given?: infer G } } ? Exclude<G, undefined> : never;
type OffOf<R> = R extends { readonly off: string } ? false : never;
type RunValueOf<R> = R extends { readonly run: (value: never) => infer T } ? T : ValueOf<R>;

/** The values of a table of options. Options that were not given are absent. */
export type ValuesOf<T> = { readonly [K in keyof T]?: ValueOf<T[K]> | OffOf<T[K]> };
export type TestValues = ValuesOf<Table>;

/** The values of the options with a mark, such as `library`. */
type MarkedValues<T, M extends string> = {
  readonly [K in keyof T as T[K] extends Readonly<Record<M, true>> ? K : never]?: ValueOf<T[K]>;
};

/** The options of the library. */
export type LibraryOptions<T> = {
  readonly [K in keyof T as T[K] extends { readonly library: true } ? K : never]?: GivenOf<T[K]>;
};

/** The options of the page, as JSON. */
export type PageOptions = {
  readonly [K in OptionName as Table[K] extends { readonly page: true } ? K : never]?: GivenOf<Table[K]>;
};

/** The options of the suite. */
export type RunOptions = {
  readonly [K in OptionName as Table[K] extends { readonly run: unknown } ? K : never]?: RunValueOf<Table[K]>;
};

/** The content of a config file by its keys. Nested keys are read by their path. */
export type FileOptions = {
  readonly [K in OptionName as Table[K] extends { readonly key: infer Key extends string }
    ? Key extends `${string}.${string}`
      ? never
      : Key
    : never]?: ValueOf<Table[K]>;
};

export const optionNames = Object.keys(testOptions) as OptionName[];

/** Returns the row of an option. */
export const optionOf = (name: OptionName): OptionRow => testOptions[name];

/** "--binding", "--dry-run" */
export const flagOf = (name: string): string =>
  (testOptions as Rows)[name]?.flag ?? `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The help text, with the default at its end. */
export const helpOf = ({ means, default: fallback }: Pick<OptionRow, "means" | "default">): string =>
  fallback === undefined ? means : `${means} (default: ${fallback})`;

/** Thrown for an invalid value of an option. The caller adds where it was written. */
export interface WrongOption {
  readonly name: string;
  /** absent if no such option exists */
  readonly kind?: Kind<unknown>;
  readonly value: unknown;
  /** "Expected a whole number from 0." */
  readonly advice: string;
}

/**
 * Returns the values that a program or a request gives, each checked by its kind. `undefined` and `null` count as
 * absent.
 */
export function readOptions<T extends Rows, M extends "library" | "page">(
  table: T,
  given: Readonly<Record<string, unknown>>,
  mark: M,
  wrong: (mistake: WrongOption) => Error,
): MarkedValues<T, M> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    const row = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!row?.[mark]) throw wrong({ name, value, advice: "Unknown option." });
    read[name] = taken(row.is, value);
    if (read[name] === undefined) throw wrong({ name, kind: row.is, value, advice: adviceOn(row.is) });
  }
  // Each value was read by the kind of its option.
  return read as MarkedValues<T, M>;
}

/** Returns the values that the suite gets. */
export function runOptionsOf(values: TestValues): RunOptions {
  const rows = optionNames.flatMap((name) => {
    const { run } = optionOf(name);
    const value = values[name];
    if (run === undefined || value === undefined) return [];
    // A function of the table takes the value of its own row.
    return [[name, run === true ? value : (run as (given: unknown) => unknown)(value)]];
  });
  return Object.fromEntries(rows) as RunOptions;
}

/** Reads options from a config file, by name; `said` is the file, or its part about one of several agents. */
export function optionsInFile(said: object): TestValues {
  const rows = optionNames.flatMap((name) => {
    const { key } = optionOf(name);
    const value = key?.split(".").reduce<unknown>((within, step) => (within as Rows | undefined)?.[step], said);
    return value === undefined ? [] : [[name, value]];
  });
  // Each value was read by the kind of its option.
  return Object.fromEntries(rows) as TestValues;
}
