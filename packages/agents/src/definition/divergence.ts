import type { AgentDefinition } from "./agent.ts";
import type { Layers } from "./layers.ts";

/** An agent that differs from its base in exactly one way. */
export interface Divergence {
  /** for a mutant: the rule it breaks, and a word; for a variant: what is odd about it */
  readonly id: string;
  /** the path of the agent it is made from */
  readonly base: string;
  /** what it does, for those who meet it */
  readonly does: string;
  /**
   * Where its declaration differs. InterceptedOperation once for every test bed, because some keep something in mind; those that
   * leave something to chance draw it from the seed.
   */
  readonly differs: (seed: number) => Partial<AgentDefinition>;
}

/** Breaks one rule on purpose. What keeps something in mind makes its layers anew for every test bed. */
export const mutant = (id: string, base: string, does: string, layers: Layers | (() => Layers)): Divergence => ({
  id,
  base,
  does,
  differs: () => ({ layers: typeof layers === "function" ? layers() : layers }),
});

/** Odd, but within the rules: no check may fail on it. */
export const variant = (...given: Parameters<typeof mutant>): Divergence => mutant(...given);
