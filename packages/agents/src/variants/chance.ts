import { randomFrom } from "@assay/protocol";

/** Pseudo-random choices: the same seed gives the same choices. */
export interface Chance {
  /** a whole number, both bounds included */
  between(low: number, high: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
  /** Returns true with this probability. */
  happens(percent: number): boolean;
}

/** Returns the random source of one message. Each `turn` has its own sequence. */
export function chanceFrom(seed: number, turn: number): Chance {
  const next = randomFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(turn + 1, 0x85ebca6b));
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    between,
    pick: (choices) => choices[between(0, choices.length - 1)]!,
    happens: (percent) => next() * 100 < percent,
  };
}
