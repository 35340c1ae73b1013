// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:30e8fca45476db9e41e3917ac375cc8029d11c3d2f8378e8449d5854baa1fb97",
  "1.0.0-r1": "sha256:bf37edaebc022da0f67c1fcc40d355d470dc2290f199ae891ed69d556943886c",
  "0.3.0-r1": "sha256:09e9650b7a7930859ef9d710cafd1944fb279ccb4e7c2ac984106164b14804e7",
  "0.2.6-r1": "sha256:c41b1a2bf825346f57d4d0c5f10127f77201912d19338b755a401ef8f604b7ee",
  "0.1.0-r1": "sha256:b74866c7802e5984c5f6d529b6edf84e62deea94fe5c70b3ac982b6303ca983f"
};
