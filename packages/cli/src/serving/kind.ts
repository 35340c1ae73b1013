/**
 * How the value of a setting is written. On the command line and in the environment it is a text, in a file it is
 * what YAML has for it; both are read by the same function, so that a value means the same wherever it stands.
 */
export interface Kind<T> {
  /** what stands for the value in the usage, such as "n"; a switch has none */
  readonly placeholder?: string;
  /** what is expected, for messages: "a port from 0 to 65535" */
  readonly wants: string;
  /** the value of a text; undefined where it is none */
  read(text: string): T | undefined;
  /** the value in a file, as JSON Schema */
  readonly schema: Readonly<Record<string, unknown>>;
  /** may be given several times: a list in a file, commas in the environment */
  readonly isList?: true;
  /** may hold a secret: read by `env:NAME` or `@file` too, and never shown */
  readonly isSecret?: true;
  readonly choices?: readonly string[];
}

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

/** Any text but the empty one: a variable that is set to nothing is not set. */
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

export const several = (placeholder: string, wants: string): Kind<string[]> => ({
  placeholder,
  wants,
  read: (given) => (given === "" ? undefined : [given]),
  schema: { type: "array", items: { type: "string", minLength: 1 } },
  isList: true,
});

export const webAddress: Kind<string> = {
  placeholder: "url",
  wants: "an http or https URL",
  read: (given) => (URL.canParse(given) && /^https?:/.test(given) ? given : undefined),
  schema: { type: "string", pattern: "^https?:" },
};

export const choice = <const T extends string>(placeholder: string, choices: readonly T[]): Kind<T> => ({
  placeholder,
  wants: `one of ${choices.join(", ")}`,
  read: (given) => choices.find((each) => each === given),
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

/** On with its name alone; off with `--no-…`, where a file or the environment turned it on. */
export const onOff: Kind<boolean> = {
  wants: "true or false",
  read: (given) => positions[given.toLowerCase()],
  schema: { type: "boolean" },
};
