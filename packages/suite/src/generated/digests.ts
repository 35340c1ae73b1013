// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:68a78897e13cb01b3376a27a15f6a1287d8b9054fda04cf85dd9f9c1ebe959de",
    "clients": "sha256:87f447bfb14d1473364647940020504c06ac5ac31a29a819379c227b0e7c5c3d"
  },
  "1.0.0-r1": {
    "agents": "sha256:5d18dc81d2c1d0841e971e25ad9284473d787db8391ec69a5bf27c418891301f",
    "clients": "sha256:05bfdae89de774127e848102d0663b336c1f14adae82dd8e817ee87e9af2ae20"
  },
  "0.3.0-r1": {
    "agents": "sha256:84e16233b01761a7302f0b60dac8cee3ee7da9d7d54b8b9292c5f8c77a320bb3",
    "clients": "sha256:f655f95bb9d207ba6dbbdfad4e30d12ba36ca12c0b53fd28074902754ee4e277"
  },
  "0.2.6-r1": {
    "agents": "sha256:e6fbceee66a712f033625309adc85568c573cde6fe9cb8a16a5134e9b9345bf2",
    "clients": "sha256:c9f14f3f0c6627eface07bc550f040a0821a3b1d4f692e55f5c66fcfadbb2835"
  },
  "0.1.0-r1": {
    "agents": "sha256:2ef02095eda8486fdee267a9f2b0b1213114479db848628956571256cb99cfb0",
    "clients": "sha256:7105f271b9a67b5a33b2300dbb91458d2ae936a0fe60654c881f40fd46cbd0d9"
  }
};
