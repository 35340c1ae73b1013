// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:ac111166522681971639cff31e0cea1a73fb08e0b2d0b8917dc6ebf61ab6de0b",
  "1.0.0-r1": "sha256:ff41806b5fa2453a2e3d89c0f1bce250dd11ca64164ed9f769b50fad9312e9d5",
  "0.3.0-r1": "sha256:8f120c4f43d669127bb818449c651486937a41a6ce55f3b442afdde2bd8a7003",
  "0.2.6-r1": "sha256:d5ffdb65a00132e4ceb5f607c94c0ba0630558c08d25c5e3af39f5ce120ddf14",
  "0.1.0-r1": "sha256:35e68b3a3f6b61b2f0b05570293d83fc4af4b4c911fd54c344c5f2ff581956cc"
};
