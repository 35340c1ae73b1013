// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:b5bb54806d7138dfbce88f4750439552216b22ca9d2fae324fff3e8fde321909",
  "1.0.0-r1": "sha256:10147020da298f50f7d0a1ed26e147094380e5e8619dbeba40d0ed0614b502b3",
  "0.3.0-r1": "sha256:41bbe3def9d784884026aa39fc7df8f76f04b46efab158060a7fbfe9a9fc3231",
  "0.2.6-r1": "sha256:41927445299e9a352105a261a29ebc88ebed0835fdc799f8db38ca0eb47b40a1",
  "0.1.0-r1": "sha256:35e68b3a3f6b61b2f0b05570293d83fc4af4b4c911fd54c344c5f2ff581956cc"
};
