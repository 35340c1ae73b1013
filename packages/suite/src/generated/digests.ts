// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:8c376e2189897c72e485bc5acb35fd3d97c90a7b2d2ca9accad05dc869a0f073",
  "1.0.0-r1": "sha256:b954ef05cae963df39f2dfb269671de75ba74ec52a2db5a9af5d95104d3c03bf",
  "0.3.0-r1": "sha256:ffcc7bb4c525fad1a2a00b5a84b3b4b5d3db4bf3ee33ae9d07ba41d8666f74b4",
  "0.2.6-r1": "sha256:f5bbb59a3a184c107d2bac0ac49ff758bfb80b329dc30504a382748cf4d907ed",
  "0.1.0-r1": "sha256:bb0bc1ea2346425145d321fec2c3630513675b092547fdc777cea1ad7923113d"
};
