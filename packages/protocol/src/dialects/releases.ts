/**
 * Published releases of the versions that write `kind`. "0.3" is tag v0.3.0: later 0.3 releases did not change the wire
 * format.
 */
export const releases = ["0.2.0", "0.2.1", "0.2.2", "0.2.3", "0.2.4", "0.2.5", "0.2.6", "0.3"] as const;
export type Release = (typeof releases)[number];

/** One exact wire format: releases of 0.2 differ, and 0.3 has two data models. */
export type Wire = "0.1" | Release | "0.3-proto" | "1.0";

/** Features that later releases added. Everything else exists since 0.2.0. */
const added = {
  extendedCard: "0.2.1",
  referenceTaskIds: "0.2.1",
  extensions: "0.2.2",
  iconUrl: "0.2.2",
  pushConfigId: "0.2.2",
  interfaces: "0.2.4",
  severalPushConfigs: "0.2.5",
  protocolVersion: "0.2.5",
  /** before, a configuration without output modes was invalid */
  optionalOutputModes: "0.2.6",
  extendedCardMethod: "0.3",
  mutualTls: "0.3",
  oauth2MetadataUrl: "0.3",
  skillSecurity: "0.3",
} as const satisfies Record<string, Release>;

export type Feature = keyof typeof added;

export const has = (release: Release, feature: Feature): boolean =>
  releases.indexOf(release) >= releases.indexOf(added[feature]);
