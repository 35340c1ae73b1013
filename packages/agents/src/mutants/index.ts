import type { Divergence } from "../mutant.ts";

/** Agents that are wrong in one way each. */
export const mutants: readonly Divergence[] = [];
