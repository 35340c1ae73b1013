import { connections } from "./connections.ts";
import { gateways } from "./gateways.ts";
import { type ProxyOptions, ProxyServer } from "./proxy.ts";
import { restarts } from "./restarts.ts";
import { rewriting } from "./rewriting.ts";
import { slowness } from "./slowness.ts";
import type { Surrounding } from "./surrounding.ts";

/**
 * All surroundings of a good agent. Those that change the agent's content are variants
 * (`variants/surroundings.ts`).
 */
export const surroundings: readonly Surrounding[] = [
  ...gateways,
  ...restarts,
  ...connections,
  ...slowness,
  ...rewriting,
];

export interface SurroundingsOptions extends ProxyOptions {
  /** the id of the surroundings */
  readonly variant: string;
}

export type Surroundings = Pick<ProxyServer, "url" | "troubled" | "close">;

/** Starts surroundings in front of an agent, on a separate port. */
export async function startSurroundings({ variant, ...options }: SurroundingsOptions): Promise<Surroundings> {
  const found = surroundings.find(({ id }) => id === variant);
  if (!found) throw new RangeError(`Unknown surroundings ${JSON.stringify(variant)}`);
  const proxy = new ProxyServer({ conduct: found.does(), goAwayAfter: found.goAwayAfter }, options);
  await proxy.listen();
  return proxy;
}
