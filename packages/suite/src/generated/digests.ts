// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:c3f621e48cdd2c91045a0286a25407c3a0617481d5d9c521752a489ab97f6807",
    "clients": "sha256:3383997c85dcfc13e5a6426b0f073186849a5936f3770f67b3dbfe073d29aa36"
  },
  "1.0.0-r1": {
    "agents": "sha256:b03fc67359e5d2473077a227e49f22b072a8b6145cb487e7bc10fdd683f93081",
    "clients": "sha256:fd42e55347f1c3237550175dcdefb6053780a323f70a11332cc62e1a5aba8ebc"
  },
  "0.3.0-r1": {
    "agents": "sha256:408a93dab1ba823aa9136a53306740abfcbf4a0bf6c98fe90f9886bda7566eac",
    "clients": "sha256:0313c24982253b80660b965c6b398ce004a50f6155ce0fa5912eed4c13f76964"
  },
  "0.2.6-r1": {
    "agents": "sha256:76aacf236003f8581aabaa0f8eed6889f2ae4f4b5e33772894694086964f7c94",
    "clients": "sha256:5e14a4b7dc1a675463c7dd5fd45fa0c5097bb0123ebe4016446cd80267b52f97"
  },
  "0.1.0-r1": {
    "agents": "sha256:57e6dd81938bc7eb8d14c662ae32b8ff69aaf90d5d8dbf40b5900a4b634b7fb1",
    "clients": "sha256:ac034c97e5086b08adaf32f30cbe2dd7c78923a7e4a8d2ecea298c4849f56561"
  },
  "1.1-draft1": {
    "agents": "sha256:0858405b9a0ce013c5edd1c8bf99d52518bea43c16c4ab1412f42536bba3d289",
    "clients": "sha256:2468b01cea13a2eb0b1de6937858752a97508c92028e868c7567798e746812f5"
  }
};
