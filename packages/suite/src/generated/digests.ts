// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:e2da211afdcefa1b02def516d673b87225350306aa8fa647ff0f9f0fbe92571f",
  "1.0.0-r1": "sha256:ecb0f3e6444b71f38570bdddf78991dc83b8482a121c8b09ac4d18fa639704ec",
  "0.3.0-r1": "sha256:7c8d5873b8c95c838671cec0a89f5723dcc12d6cbc77620ef007a222955bcd59",
  "0.2.6-r1": "sha256:09e99a20472acc9d9827f0e2981ad117abed2c938e05f11b8c0f966d798d43cc",
  "0.1.0-r1": "sha256:0ec475a55cdd36b3be1c21d06cf6948964d0fe4cba18faad30c927b912221052"
};
