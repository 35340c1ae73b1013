import { ownSequence } from "./own-sequence.ts";

export interface Colors {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

/** Resets all colours. */
export const plainAgain = ownSequence("0m");

/** Returns the colour functions, which leave text unchanged if colours are off. */
export function createColors(isColored: boolean): Colors {
  const color = (on: number, off: number) => (text: string) =>
    isColored ? `${ownSequence(`${on}m`)}${text}${ownSequence(`${off}m`)}` : text;
  return { bold: color(1, 22), dim: color(2, 22), red: color(31, 39), green: color(32, 39), yellow: color(33, 39) };
}
