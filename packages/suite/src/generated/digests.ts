// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:6ebeca10e13def37590eb3f96e809694077ad4ef237df8b061888104259605e8",
    "clients": "sha256:5a29763f09bc7d155b1b858ec514b114c89eb9e8c8c8d9785dd96c8befd8835b"
  },
  "1.0.0-r1": {
    "agents": "sha256:02794c94ea5c1a834503479ae31b55dfb85e11b41456ac7657a34a6bc2aa6eeb",
    "clients": "sha256:9350163e32bd491081edcef72e9661390e06b8209d916a97c1657958610b07a3"
  },
  "0.3.0-r1": {
    "agents": "sha256:8310638893ed3f8d547f7c752d47e8a611a2b12f7ecb3beb88420720b201cbee",
    "clients": "sha256:d7aaa220e6e6e4dc9bfe2c23c97362693baee6c5932f2f3bfcc17b6c72663104"
  },
  "0.2.6-r1": {
    "agents": "sha256:fba347b675c87b03e86d6a910f76a34538a2c684a0e24d2c632db2cb615d258a",
    "clients": "sha256:fc5f6d9cba5584e518136e1a848b75de6e02e15e2af3fe735cedc0e1dc68d9c5"
  },
  "0.1.0-r1": {
    "agents": "sha256:76845f28f80df242fa77681994b7b030a9aa6e730038f380a2b992315d6e3cc0",
    "clients": "sha256:d90d3131cff6c9f5c207f808793094f08ff5fce5d246b9015148673eebe7a6d4"
  }
};
