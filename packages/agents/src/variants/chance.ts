/** Numbers that look like chance and are the same for the same seed. */
export interface Chance {
  /** a whole number, both bounds included */
  between(low: number, high: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
  /** true so often in a hundred times */
  happens(percent: number): boolean;
}

/** Mulberry32: 32 bits of state, and good enough for moods. `turn` gives each message a sequence of its own. */
export function chanceFrom(seed: number, turn: number): Chance {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(turn + 1, 0x85ebca6b)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    between,
    pick: (choices) => choices[between(0, choices.length - 1)]!,
    happens: (percent) => next() * 100 < percent,
  };
}
