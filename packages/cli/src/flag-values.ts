import { readDuration } from "@assay/fleet/duration";
import * as kinds from "@assay/suite/options";
import { InvalidArgumentError } from "commander";

/** Returns a parser that reads the text of a flag as a value of this kind. */
export const parserOf =
  <T>(kind: kinds.Kind<T, unknown>) =>
  (text: string, sofar?: T): T => {
    const value = kind.read(text);
    if (value === undefined) throw new InvalidArgumentError(kinds.adviceOn(kind));
    return Array.isArray(sofar) && Array.isArray(value) ? ([...sofar, ...value] as T) : value;
  };

/** Collects the values of a flag that may be repeated. */
export const collect = (value: string, sofar: string[] = []): string[] => [...sofar, value];

export const count = parserOf(kinds.count);
export const atLeastOne = parserOf(kinds.atLeastOne);
export const seconds = parserOf(kinds.seconds);
export const perSecond = parserOf(kinds.perSecond);

export const port = kinds.numeric("n", "a port from 0 (any free port) to 65535", {
  whole: true,
  from: 0,
  to: 65_535,
});
/** Reads a tier of a contract for command-line clients. */
export function contractTier(text: string): 1 | 2 | 3 {
  const tier = ([1, 2, 3] as const).find((each) => String(each) === text);
  if (!tier) throw new InvalidArgumentError("Expected 1, 2 or 3.");
  return tier;
}

export const portNumber = parserOf(port);

export const scale = kinds.numeric("factor", "a factor from 0 to 100, such as 0.1", { from: 0, to: 100 });
export const factor = parserOf(scale);

export const memory = kinds.numeric("MiB", "a number of MiB from 1 to 1000000", { from: 1, to: 1_000_000 });
export const mebibytes = parserOf(memory);

export const numberOfDays = kinds.numeric("n", "a number of days above 0", { above: 0, to: 100_000 });
export const days = parserOf(numberOfDays);

/** Reads "90s", "12h" or "7d" in milliseconds. */
export function span(text: string): number {
  const ms = readDuration(text);
  if (ms === undefined) throw new InvalidArgumentError("Expected a duration, such as 90s, 15m, 12h or 7d.");
  return ms;
}

/** Reads a flag that may be repeated or have several values: "a,b". */
export const list = parserOf(kinds.listOf(kinds.text("what", "a text"), { commas: true }));

export const bindings = parserOf(kinds.testOptions.bindings.is);
export const dialects = parserOf(kinds.testOptions.dialects.is);
