// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:dde054511a254bab60f8a5e47d75bbad1cb6c07762e1d4008cdb288f609482ef",
  "1.0.0-r1": "sha256:21d6281b93b6ee0252aea8e2b8f814e17c688e2011692c55631416ef720ae670",
  "0.3.0-r1": "sha256:3f794da374dfe546a69521185703492ae4592dac380ca2639d695ad226635fa8",
  "0.2.6-r1": "sha256:4113939388d18e9b22096b7e6de9ff7263f0f3d7acc2cb55eb0341a3101470ba",
  "0.1.0-r1": "sha256:a9200544508368b0b4876fc267b8860d01c43c486f838bd8eea319e0b23c6482"
};
