import type { AgentDefinition } from "./agent.ts";
import type { Layers } from "./layers.ts";

/** An agent that differs from its base in exactly one way. */
export interface Divergence {
  /** for a mutant: the broken rule and a word; for a variant: what is odd about it */
  readonly id: string;
  /** the path of its base agent */
  readonly base: string;
  /** its behaviour in one sentence */
  readonly does: string;
  /**
   * Returns the changed declaration. Called once per test bed, because some keep state; random choices come
   * from the seed.
   */
  readonly differs: (seed: number) => Partial<AgentDefinition>;
}

/**
 * Makes mutants and variants from one base. A mutant breaks one rule; no check may fail on a variant. Layers
 * that keep state are a function that is called for every test bed.
 */
const madeFrom =
  (base: string) =>
  (
    id: string,
    does: string,
    layers: Layers | ((seed: number) => Layers),
    declared?: Partial<AgentDefinition>,
  ): Divergence => ({
    id,
    base,
    does,
    differs: (seed) => ({ ...declared, layers: typeof layers === "function" ? layers(seed) : layers }),
  });

export const echo = madeFrom("echo");
export const full = madeFrom("full");
export const minimal = madeFrom("minimal");
export const secure = madeFrom("secure");
export const spec = madeFrom("spec");
export const spec01 = madeFrom("spec01");
export const spec02 = madeFrom("spec02");
export const spec03 = madeFrom("spec03");
export const spec11 = madeFrom("spec11");
export const strict = madeFrom("strict");
