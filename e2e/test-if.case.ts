import { test } from "vitest";

/** A test where it applies; elsewhere there is none, and nothing is skipped. */
export const testIf = (applies: boolean): ((title: string, body: () => Promise<void>) => void) =>
  applies ? (title, body) => test(title, body) : () => {};
