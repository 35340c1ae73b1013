import { agentKinds, agentsOnSmallHosts, largeHosts } from "./assumptions.ts";

/** A host with its plan, as workers share it. */
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

/** The same numbers every time: two nights differ in what they are asked for, and in nothing else. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** The row in whose part of the whole a number between 0 and 1 lies; the last one where their parts do not fill it. */
function rowAt<T extends { readonly share: number }>(rows: readonly T[], at: number): T {
  let sum = 0;
  for (const row of rows) {
    sum += row.share;
    if (at < sum) return row;
  }
  return rows.at(-1)!;
}

const newHost = (): NightHost => ({ nextAt: 0, active: 0 });

/** The agents of a registry, on hosts of their own and on large ones, in no order. */
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
