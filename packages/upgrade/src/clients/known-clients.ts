import type { DialectVersion } from "@assay/protocol";
import { type ClientProfile, profiles } from "@assay/suite/forecast";
import type { ClientSupport } from "./client-support.ts";

/**
 * Returns the support of a measured client: the versions in which an agent accepted its message. Agents of 1.0 reject
 * clients without A2A-Version.
 */
const clientOf = ({ client, speaks, unversioned = [], measured }: ClientProfile): ClientSupport => {
  const spoken = speaks.filter((on) => !unversioned.includes(on)).map((on) => on.split(" ")[0] as DialectVersion);
  return {
    title: client.name,
    version: client.version,
    versions: [...new Set(spoken)].toSorted().toReversed(),
    source: `measured ${measured}`,
  };
};

/** The clients with a profile that speak any version. */
export const knownClients: readonly ClientSupport[] = profiles
  .map(clientOf)
  .filter(({ versions }) => versions.length > 0);
