// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:c5640b121c557dd8c85445c2ada4181bf10f660b76598751d8c3aeaa907cd248",
    "clients": "sha256:9e86dffa5840ae3185d428d62c1b248ff585e1d8b34118b09e586caaae7cf495"
  },
  "1.0.0-r1": {
    "agents": "sha256:a953c26639f75ca3b8854f113f642d646148aa042de4d4eab7276bf301318761",
    "clients": "sha256:4fbdbbb64193c56c1c4683a2033af174afdd732209ac69c2ac78d1246f7ce088"
  },
  "0.3.0-r1": {
    "agents": "sha256:02ff88bed403778f78d976629ef8baea485d9b45c73b4740f9a5df7bfc5f6632",
    "clients": "sha256:d49fa6af574e3e69601835affc13c9395df4d1a8eef4aba431ee653383e88dfb"
  },
  "0.2.6-r1": {
    "agents": "sha256:1dd95793a8cb8b600e3db126c2781f18273286e334b8bff6998d3b8a3dabacfb",
    "clients": "sha256:cf481fb00a61411a251ee14267c9beaec40d124d5a4536fd87b35914397bbd04"
  },
  "0.1.0-r1": {
    "agents": "sha256:2ae74c4713edc574319ffe594bf5a546e89addb108679bbbb0f386832c2ffcfe",
    "clients": "sha256:f161e3cb73aed77da47cc7b879b3462e8cca559a8858d78d8fe08cbc956973f6"
  }
};
