import { agentKinds, agentsOnSmallHosts, largeHosts } from "./assumptions.ts";

/** A host with its plan, shared by all workers. */
export interface NightHost {
  nextAt: number;
  active: number;
}

export interface NightAgent {
  readonly host: NightHost;
  readonly kind: (typeof agentKinds)[number];
  place: number | undefined;
  tries: number;
}

/** Returns the same random numbers for the same seed, so that two nights differ only in their settings. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Selects the row whose share of the whole contains a number from 0 to 1; the last row takes the remainder. */
function rowAt<T extends { readonly share: number }>(rows: readonly T[], at: number): T {
  let sum = 0;
  for (const row of rows) {
    sum += row.share;
    if (at < sum) return row;
  }
  return rows.at(-1)!;
}

const newHost = (): NightHost => ({ nextAt: 0, active: 0 });

/** Returns the agents of a registry in random order, some on large hosts and the others on their own. */
export function registryOf(agents: number, random: () => number): NightAgent[] {
  const large = largeHosts.map((share) => ({ share, host: newHost() }));
  const onLarge = largeHosts.reduce((sum, share) => sum + share, 0);
  const small = Array.from({ length: Math.ceil(agents / agentsOnSmallHosts) }, newHost);
  return Array.from({ length: agents }, () => {
    const at = random();
    const host = at < onLarge ? rowAt(large, at).host : small[Math.floor(random() * small.length)]!;
    return { host, kind: rowAt(agentKinds, random()), place: undefined, tries: 0 };
  });
}
