import type { Divergence } from "../mutant.ts";

/** Agents that are odd but legal. */
export const variants: readonly Divergence[] = [];
