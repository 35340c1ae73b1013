// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:b5bb54806d7138dfbce88f4750439552216b22ca9d2fae324fff3e8fde321909",
  "1.0.0-r1": "sha256:10147020da298f50f7d0a1ed26e147094380e5e8619dbeba40d0ed0614b502b3",
  "0.3.0-r1": "sha256:1ca1490563a39a2d331d1f018e365f84a0a4841026dacb52c0356f55b39184fd",
  "0.2.6-r1": "sha256:3e93bb29c98ccc0c666061647f4cfd5fe3f1ffd5542dc13538efe68f57d85a4f",
  "0.1.0-r1": "sha256:48115af9e80ba280990a29e00fd330eb2bfa376e9035ca3d0756acb8d90cc925"
};
