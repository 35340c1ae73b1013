// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:ac111166522681971639cff31e0cea1a73fb08e0b2d0b8917dc6ebf61ab6de0b",
  "1.0.0-r1": "sha256:ff41806b5fa2453a2e3d89c0f1bce250dd11ca64164ed9f769b50fad9312e9d5",
  "0.3.0-r1": "sha256:e4a02695c6b749550e0ba8fc02f2963f533c53bcc27a6a03af7445dc867d34c4",
  "0.2.6-r1": "sha256:f92606ab7b632fe035a005c99092e1be5d0449ff749ef391d23b16ec75c5d994",
  "0.1.0-r1": "sha256:48115af9e80ba280990a29e00fd330eb2bfa376e9035ca3d0756acb8d90cc925"
};
