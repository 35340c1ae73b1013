// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:6ce316ea35207c0fa2be7f5ec9b6568755d62c762ac5e7fda0cab8fcf511497a",
    "clients": "sha256:9e86dffa5840ae3185d428d62c1b248ff585e1d8b34118b09e586caaae7cf495"
  },
  "1.0.0-r1": {
    "agents": "sha256:fe61fab84892472f22e39d4eed0c03a24bd198112b743c8ffb6785eb1fd921dc",
    "clients": "sha256:4fbdbbb64193c56c1c4683a2033af174afdd732209ac69c2ac78d1246f7ce088"
  },
  "0.3.0-r1": {
    "agents": "sha256:34e231ea42060edf13b21a338f604ef1b67b30d1900970c97bd4015b497dca96",
    "clients": "sha256:d49fa6af574e3e69601835affc13c9395df4d1a8eef4aba431ee653383e88dfb"
  },
  "0.2.6-r1": {
    "agents": "sha256:95f96c9bb17a650e0556b5ba966abc9666b4ca080cd1d021dc7b50c13e68b6d2",
    "clients": "sha256:cf481fb00a61411a251ee14267c9beaec40d124d5a4536fd87b35914397bbd04"
  },
  "0.1.0-r1": {
    "agents": "sha256:05f7a699f359a23ff9261964ecdf20ef4c2b7674f919d4eca6020312aec0f469",
    "clients": "sha256:f161e3cb73aed77da47cc7b879b3462e8cca559a8858d78d8fe08cbc956973f6"
  }
};
