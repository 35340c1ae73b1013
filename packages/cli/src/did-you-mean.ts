import { nearest } from "@assay/protocol";

/** " Did you mean …?", or nothing. */
export function didYouMean(given: string, candidates: readonly string[]): string {
  const guess = nearest(given, candidates);
  return guess === undefined ? "" : ` Did you mean ${guess}?`;
}
