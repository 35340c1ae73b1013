import { normaliseCard } from "@assay/protocol";
import type { ClientProfile } from "./profile.ts";

/** Returns the measured clients that speak one of the lost interfaces, and none that the card still offers. */
export function strandedClients(
  card: unknown,
  lost: readonly string[],
  profiles: readonly ClientProfile[],
): readonly string[] {
  const offered = new Set(normaliseCard(card).interfaces.map(({ dialect, binding }) => `${dialect} ${binding}`));
  return profiles
    .filter(({ speaks }) => speaks.some((kind) => lost.includes(kind)) && !speaks.some((kind) => offered.has(kind)))
    .map(({ client }) => `${client.name} ${client.version}`);
}
