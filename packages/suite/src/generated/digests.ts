// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:c5c14c8c6070a5f98782054d04c4c83e4f970a6c1d8bafef670c2342dba3b345",
  "1.0.0-r1": "sha256:f16e89661b282278531e8a1bc99b1d8bd34b04cef651a9ea9ac294c1cabf9046",
  "0.3.0-r1": "sha256:5eedfa983db13a88a5ab04df3ff72f935a044645549888cf3d24c1a77ed376ed",
  "0.2.6-r1": "sha256:0d54c3680755a2193c55ad5b11ee01d62b3ce479ba054cfdbebf3f0be2e9f9bb",
  "0.1.0-r1": "sha256:73f179c935e33e86af3c075b9c29e0f0ea2f357b5e7a5505fa382a877aeb3064"
};
