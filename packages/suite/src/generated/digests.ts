// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:b12a6d59c07e4ced2945f9c3e6640758c27a94ffb26f183adb9421f5af29c0d5",
    "clients": "sha256:0847ad4712f3b344cc82d6469a9972268607a51d772188ea06e099938cc5c408"
  },
  "1.0.0-r1": {
    "agents": "sha256:2fa55ee8f97a8f39d095979fa96d6bc369fc8f5b76a8d5df3fd03f91673449c3",
    "clients": "sha256:a7fe3d74a69c7532c6e6a55870aeaaa7259ac660f9a594e2ac2db32eeb9d06e9"
  },
  "0.3.0-r1": {
    "agents": "sha256:263c0d7c40442ed1d42db6d035dcb8d014f6534114aae6cb42eab71a929d5972",
    "clients": "sha256:d7b928dd44f35a99e8b1b6d6f84646c260610ea526a77bd79865b98093b9e54a"
  },
  "0.2.6-r1": {
    "agents": "sha256:53b7ea273124a6e2d3826dc3199d15ce5ff3aef294469ef2910b42e37a335cdf",
    "clients": "sha256:384036bca42ecba0e39de09f5c08e7732e1d22d3ae97ac24816b65eaaef71043"
  },
  "0.1.0-r1": {
    "agents": "sha256:ca6710f48e3da871da381060f2bdbf450b14b2d69ef5cf97bc713c1f6fb7442a",
    "clients": "sha256:fdd2a0fd4a37fa7363efaa77681e2d6e77f177b8898c3386c04b9544592cb451"
  }
};
