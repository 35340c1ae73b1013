import type { SpokenDialect } from "./events.ts";

/** An agent that declares 1.0 and nothing else: how that is known, and how it does in it, need not be said apart. */
export const isPlainlyNew = (dialects: readonly SpokenDialect[]): boolean =>
  dialects.every(({ dialect, declared }) => dialect === "1.0" && declared === true);
