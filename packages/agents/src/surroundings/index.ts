import { connections } from "./connections.ts";
import { gateways } from "./gateways.ts";
import { type ProxyOptions, ProxyServer } from "./proxy.ts";
import { restarts } from "./restarts.ts";
import { rewriting } from "./rewriting.ts";
import { slowness } from "./slowness.ts";
import type { Surrounding } from "./surrounding.ts";

/** Whatever may stand before a good agent. Those that change what the agent says are variants (`variants/surroundings.ts`). */
export const surroundings: readonly Surrounding[] = [
  ...gateways,
  ...restarts,
  ...connections,
  ...slowness,
  ...rewriting,
];

export interface SurroundingsOptions extends ProxyOptions {
  /** the id of a surrounding */
  readonly variant: string;
}

export type Surroundings = Pick<ProxyServer, "url" | "troubled" | "close">;

/** Puts something unfortunate in front of an agent, on a port of its own. */
export async function startSurroundings({ variant, ...options }: SurroundingsOptions): Promise<Surroundings> {
  const found = surroundings.find(({ id }) => id === variant);
  if (!found) throw new RangeError(`Unknown surroundings ${JSON.stringify(variant)}`);
  const proxy = new ProxyServer({ conduct: found.does(), goAwayAfter: found.goAwayAfter }, options);
  await proxy.listen();
  return proxy;
}
