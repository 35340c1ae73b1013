import type { DialectVersion } from "@assay/protocol";
import { type ClientProfile, profiles } from "@assay/suite/forecast";
import type { ClientSupport } from "./client-support.ts";

/** Returns the support of a measured client: the versions in which an agent accepted its message. */
const clientOf = ({ client, speaks, measured }: ClientProfile): ClientSupport => ({
  title: client.name,
  version: client.version,
  versions: [...new Set(speaks.map((on) => on.split(" ")[0] as DialectVersion))].toSorted().toReversed(),
  source: `measured ${measured}`,
});

/** Clients of the SDK matrix without a profile (sdks/<name>/driver.yaml). A test compares them with the drivers. */
export const unmeasuredClients: readonly ClientSupport[] = [
  { title: "A2A Java SDK", version: "1.0.0.Alpha3", versions: ["1.0"], source: "SDK matrix" },
  { title: "A2A Java SDK 0.3", version: "0.3.3.Final", versions: ["0.3"], source: "SDK matrix" },
];

/** The clients with a profile that speak any version, and those of the SDK matrix. */
export const knownClients: readonly ClientSupport[] = [
  ...profiles.map(clientOf).filter(({ versions }) => versions.length > 0),
  ...unmeasuredClients,
];
