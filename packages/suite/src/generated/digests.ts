// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:20184684ef173b4c9566e439ee2be796cbcba876c00336715c24342dbdf0e57a",
  "1.0.0-r1": "sha256:f52206d9588e33ad564c556e1b5a2a631cefd58dd7d0ebced599289ce9f932b7",
  "0.3.0-r1": "sha256:4f72d41010b5b89f976e1a00818d099863cb8ece904477b3ae8742833a11d1fb",
  "0.2.6-r1": "sha256:712ad3000f170b1b375980b7736e9ea6cd18beafcb3ec62fd6e7c7752486e21e",
  "0.1.0-r1": "sha256:73f179c935e33e86af3c075b9c29e0f0ea2f357b5e7a5505fa382a877aeb3064"
};
