// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:c3d84611b1807dfbf3ac03ea71d2e27ca5d5e87d99e9a6a3a23e45178ef4d4b4",
  "1.0.0-r1": "sha256:c27eb8aa54ccd5af91d1bd7a2dba012cc16ec8244788a03fbbd8fb5a36a13468",
  "0.3.0-r1": "sha256:139dd96cc1dc0551ffde2c846a41c340ce29a371c85331c5e272a36b9255908b",
  "0.2.6-r1": "sha256:e65af458da59d7d319dfc4d55b7dd5550e3f65f2f9ba08d2b73d1ecf6b157a01",
  "0.1.0-r1": "sha256:2c771be49ec0da1de1bb2f5814e09f4d579de470f3140fc960de3d6be96e6a58"
};
