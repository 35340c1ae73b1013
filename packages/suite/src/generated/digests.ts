// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:484bdde5e7cf19f4b0b3a54ea1bba31d694ff59ca48f47a0ea98ca4ac787e034",
    "clients": "sha256:3aa01449510053157e5ccaa76b68f19714ac13208d20a12c0494eaced647c02e"
  },
  "1.0.0-r1": {
    "agents": "sha256:4edfdf77520850b91ac95535bbcaa50be512f840939ff2bcc55c7116f54dae9f",
    "clients": "sha256:b8f41390fcd9aaf1745d86f54aff51628bdcc61c12cf3d0e0f6d03dd1097150a"
  },
  "0.3.0-r1": {
    "agents": "sha256:ed706a9feacd9b7b5003f3ba81f6bd5503cd5cb4ec8a1fab9c3d2dd4f6243eb5",
    "clients": "sha256:c05a370082ed9055e7a4473d14a7ea9f6727fd468a0bbbf193e4f116f8341220"
  },
  "0.2.6-r1": {
    "agents": "sha256:89e8400e2a8d28ee9320e3920ee89b670abd7280279e2e37ea14b3b9239881fa",
    "clients": "sha256:2a8dbf2969551431d5f9ac6dd75500c96eeaea65ae471bf47c13ac8ad9342354"
  },
  "0.1.0-r1": {
    "agents": "sha256:edb1bd6af9b772331352a971a492b4e62d79fb8f48a76859dcadd8772ca15f18",
    "clients": "sha256:df3424b4022e2153fc0c5ee25dd1b4eddfc671c98a80da8d9dc01bd9102a9a40"
  }
};
