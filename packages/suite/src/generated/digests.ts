// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:d3db498cec4baacb5aabd66b7e2635ee5ba0070d9593282b456cdda15d57b95f",
  "1.0.0-r1": "sha256:28446ce987d45f6a8efdb2de71280dc132253b38d0f4c51cf179ffdba4f8a13f",
  "0.3.0-r1": "sha256:8b57176ae414c283b5b3705a7f080c009ef5563946c0a7743b255ac0cb158c80",
  "0.2.6-r1": "sha256:5db9fce2584869cc3c46ae2ed55d68c3bceedabab6d236e0a2571dd73091e5d7",
  "0.1.0-r1": "sha256:0ec475a55cdd36b3be1c21d06cf6948964d0fe4cba18faad30c927b912221052"
};
