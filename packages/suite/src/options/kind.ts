/**
 * The kind of an option's value. It is text on the command line and in the environment, and a value in a file or a
 * program. One function reads both, so that a value has the same meaning everywhere.
 */
export interface Kind<T, Given = T> {
  /** the placeholder of the value in the usage, such as "n", or "[n]" if the value is optional; a switch has none */
  readonly placeholder?: string;
  /** the expected value, for messages: "a port from 0 to 65535" */
  readonly wants: string;
  /** reads the value from text; undefined if it is invalid */
  read(text: string): T | undefined;
  /** reads the value that a file or a program gives (default: `read` of its text, if its type fits the schema) */
  take?(value: unknown): T | undefined;
  /** the value in a file, as JSON Schema */
  readonly schema: Readonly<Record<string, unknown>>;
  /** the kind of one element, if the option may be repeated: a list in a file, commas in the environment */
  readonly item?: Kind<unknown>;
  /** may hold a secret: accepts `env:NAME` and `@file` too, and is never shown */
  readonly isSecret?: true;
  readonly choices?: readonly string[];
  /** the type that a program gives; never set */
  readonly given?: Given;
}

/** Returns the value that a file or a program gives; undefined if it is not of this kind. */
export function taken<T>(kind: Kind<T>, value: unknown): T | undefined {
  if (kind.take) return kind.take(value);
  const { type = "string" } = kind.schema;
  return typeof value === (type === "integer" ? "number" : type) ? kind.read(String(value)) : undefined;
}

/** Returns the next step after an invalid value, in the same words for flags, files and programs. */
export const adviceOn = ({ item, choices = item?.choices, wants }: Kind<unknown, unknown>): string =>
  choices ? `Allowed choices are ${choices.join(", ")}.` : `Expected ${wants}.`;

interface Bounds {
  readonly whole?: true;
  readonly above?: number;
  readonly from?: number;
  readonly to?: number;
}

export function numeric(placeholder: string, wants: string, bounds: Bounds): Kind<number> {
  const { whole, above, from, to } = bounds;
  return {
    placeholder,
    wants,
    read(text) {
      const value = Number(text);
      // Number reads an empty text as 0.
      if (text.trim() === "" || !Number.isFinite(value) || (whole && !/^\d+$/.test(text))) return undefined;
      const fits = value > (above ?? -Infinity) && value >= (from ?? -Infinity) && value <= (to ?? Infinity);
      return fits ? value : undefined;
    },
    schema: {
      type: whole ? "integer" : "number",
      ...(above !== undefined && { exclusiveMinimum: above }),
      ...(from !== undefined && { minimum: from }),
      ...(to !== undefined && { maximum: to }),
    },
  };
}

export const count = numeric("n", "a whole number from 0", { whole: true, from: 0, to: 999_999_999 });
export const atLeastOne = numeric("n", "a whole number from 1", { whole: true, from: 1, to: 999_999_999 });
export const seconds = numeric("seconds", "a number of seconds above 0", { above: 0 });
export const perSecond = numeric("n", "a number of requests a second above 0", { above: 0 });

/** 60 or "60%" */
export const percent: Kind<number> = {
  ...numeric("percent", "a percentage from 0 to 100", { from: 0, to: 100 }),
  read: (text) => numeric("percent", "", { from: 0, to: 100 }).read(text.replace(/%$/, "")),
};

/** Accepts any text but the empty one: a variable that is set to nothing counts as absent. */
const some = (text: string): string | undefined => (text === "" ? undefined : text);

export const text = (placeholder: string, wants: string): Kind<string> => ({
  placeholder,
  wants,
  read: some,
  schema: { type: "string", minLength: 1 },
});

export const secret = (placeholder: string, wants: string): Kind<string> => ({
  ...text(placeholder, wants),
  isSecret: true,
});

/** Returns the kind of an option that may be repeated. With `commas`, one text may hold several values. */
export function listOf<T>(item: Kind<T>, { commas = false } = {}): Kind<readonly T[]> {
  const all = (values: readonly (T | undefined)[]): readonly T[] | undefined =>
    values.every((value) => value !== undefined) ? values : undefined;
  return {
    ...(item.placeholder !== undefined && { placeholder: item.placeholder }),
    wants: item.wants,
    read: (given) => all(commas ? partsOf(given).map(item.read) : [item.read(given)]),
    take: (given) => (Array.isArray(given) ? all(given.map((each) => taken(item, each))) : undefined),
    schema: { type: "array", items: item.schema },
    item,
    ...(item.isSecret && { isSecret: true }),
  };
}

const partsOf = (given: string): string[] =>
  given
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);

export const several = (placeholder: string, wants: string): Kind<readonly string[]> =>
  listOf(text(placeholder, wants));

export const webAddress: Kind<string> = {
  placeholder: "url",
  wants: "an http or https URL",
  read: (given) => (URL.canParse(given) && /^https?:/.test(given) ? given : undefined),
  schema: { type: "string", pattern: "^https?:" },
};

/** Returns the kind for one of a few words; `also` maps other spellings to them. */
export const choice = <const T extends string>(
  placeholder: string,
  choices: readonly T[],
  also: Readonly<Record<string, T>> = {},
): Kind<T> => ({
  placeholder,
  wants: `one of ${choices.join(", ")}`,
  read: (given) => choices.find((each) => each === given) ?? also[given.toLowerCase()],
  schema: { enum: choices },
  choices,
});

const positions: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  "1": true,
  false: false,
  no: false,
  off: false,
  "0": false,
};

/** A switch: its name alone turns it on, and `--no-…` turns it off if a file or the environment turned it on. */
export const onOff: Kind<boolean> = {
  wants: "true or false",
  read: (given) => positions[given.toLowerCase()],
  schema: { type: "boolean" },
};
