// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:df3ff741b9cb4cc15695045baf5b8ea89515537f6132943467bcbc50bc4ed3d5",
    "clients": "sha256:5a29763f09bc7d155b1b858ec514b114c89eb9e8c8c8d9785dd96c8befd8835b"
  },
  "1.0.0-r1": {
    "agents": "sha256:cf60c0d9a16a7af487dc2e580ff4529b2e62c3a39e92f15a31325f74657c81f6",
    "clients": "sha256:9350163e32bd491081edcef72e9661390e06b8209d916a97c1657958610b07a3"
  },
  "0.3.0-r1": {
    "agents": "sha256:4fd59d7e938f32f29b15718aac20b18e7b09c2f9f84ac312be23f8e6aa6dbcec",
    "clients": "sha256:d7aaa220e6e6e4dc9bfe2c23c97362693baee6c5932f2f3bfcc17b6c72663104"
  },
  "0.2.6-r1": {
    "agents": "sha256:2416203210d8d92cdc6c681dda2cc0b46a323b6fff1dca2da5d90957edfd6634",
    "clients": "sha256:fc5f6d9cba5584e518136e1a848b75de6e02e15e2af3fe735cedc0e1dc68d9c5"
  },
  "0.1.0-r1": {
    "agents": "sha256:d50c3810ac2659943056493397dce7876f444b85ece4008b61b3666ff7f44c90",
    "clients": "sha256:d90d3131cff6c9f5c207f808793094f08ff5fce5d246b9015148673eebe7a6d4"
  }
};
