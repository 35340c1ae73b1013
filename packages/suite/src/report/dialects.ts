import type { SpokenDialect } from "./events.ts";

/** Returns true for an agent that declares only 1.0, for which a separate table of versions adds nothing. */
export const isPlainlyNew = (dialects: readonly SpokenDialect[]): boolean =>
  dialects.every(({ dialect, declared }) => dialect === "1.0" && declared === true);
