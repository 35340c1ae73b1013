// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:620a429e971f67683e937ff839f4b46949971cc639712f96a44e20daca3d1905",
    "clients": "sha256:9e86dffa5840ae3185d428d62c1b248ff585e1d8b34118b09e586caaae7cf495"
  },
  "1.0.0-r1": {
    "agents": "sha256:007f8ce527bf7128279846e8d569c56af32c2b538f8f94f72960cade48dcde7d",
    "clients": "sha256:4fbdbbb64193c56c1c4683a2033af174afdd732209ac69c2ac78d1246f7ce088"
  },
  "0.3.0-r1": {
    "agents": "sha256:b6f78154533815f04c5e4de41f751c406e5aa187af2d110232a3776a89b072f4",
    "clients": "sha256:d49fa6af574e3e69601835affc13c9395df4d1a8eef4aba431ee653383e88dfb"
  },
  "0.2.6-r1": {
    "agents": "sha256:e2ead92c5295f57dd4a96b36d71dff7b437f37ad1195a1243f678ed0bdb09a89",
    "clients": "sha256:cf481fb00a61411a251ee14267c9beaec40d124d5a4536fd87b35914397bbd04"
  },
  "0.1.0-r1": {
    "agents": "sha256:1cd3bc6716b21ddfac96280b70999e9ce20dfa687428af318c2c5f6b2bb151d0",
    "clients": "sha256:f161e3cb73aed77da47cc7b879b3462e8cca559a8858d78d8fe08cbc956973f6"
  }
};
