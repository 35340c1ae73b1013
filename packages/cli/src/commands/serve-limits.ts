import type { TestbedOptions } from "@assay/agents";
import { Option } from "commander";
import { atLeastOne, seconds } from "../flag-values.ts";

/** How much of the test bed one caller may have, and how far it goes to deliver notifications: the flags of `assay serve`. */
export interface LimitFlags {
  readonly pushAttempts: number;
  readonly pushGiveUp: number;
  readonly keepDeadLetters: number;
}

/** One row for each: flag, what it does, how it is read, what holds without it. */
const rows: readonly (readonly [flag: string, does: string, read: (text: string) => number, without?: number])[] = [
  ["--push-attempts <n>", "a notification is tried so often", atLeastOne, 5],
  ["--push-give-up <seconds>", "and not after so long", seconds, 120],
  [
    "--keep-dead-letters <n>",
    "so many notifications that could not be delivered are kept for a caller",
    atLeastOne,
    100,
  ],
];

export const limitOptions: readonly Option[] = rows.map(([flag, does, read, without]) => {
  const option = new Option(flag, does).argParser(read);
  return without === undefined ? option : option.default(without);
});

/** The flags as the test bed takes them. */
export const limitsFrom = (flags: LimitFlags) =>
  ({
    retries: { attempts: flags.pushAttempts, withinMs: flags.pushGiveUp * 1_000 },
    deadLetters: flags.keepDeadLetters,
  }) satisfies Partial<TestbedOptions>;
