import type { Layers } from "./layers.ts";

/** An agent that differs from its base in exactly one way. */
export interface Divergence {
  /** for a mutant: the rule it breaks, and a word; for a variant: what is odd about it */
  readonly id: string;
  /** the path of the agent it is made from */
  readonly base: string;
  /** what it does, for those who meet it */
  readonly does: string;
  readonly layers: Layers;
}

/** Breaks one rule on purpose. */
export const mutant = (id: string, base: string, does: string, layers: Layers): Divergence => ({
  id,
  base,
  does,
  layers,
});

/** Odd, but within the rules: nobody may accuse it. */
export const variant = mutant;
