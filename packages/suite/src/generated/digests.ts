// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:0a3bc7efdde9f71d6d0d3ee55e01880e4c5ca7787da36fdea7e33d211aa850b4",
    "clients": "sha256:0847ad4712f3b344cc82d6469a9972268607a51d772188ea06e099938cc5c408"
  },
  "1.0.0-r1": {
    "agents": "sha256:03e051ad97c4ad97a60b1c467dd63abace98c247447a58987752fc0b74a41cdb",
    "clients": "sha256:a7fe3d74a69c7532c6e6a55870aeaaa7259ac660f9a594e2ac2db32eeb9d06e9"
  },
  "0.3.0-r1": {
    "agents": "sha256:0640744fbdfbcec8a09dd8bb1316a9e28f627f546246c71692eae1d4960a0725",
    "clients": "sha256:d7b928dd44f35a99e8b1b6d6f84646c260610ea526a77bd79865b98093b9e54a"
  },
  "0.2.6-r1": {
    "agents": "sha256:825f572f8072f81570e6d2cd172ba18d591782a66937c6bb01a9fbb5f556d77f",
    "clients": "sha256:384036bca42ecba0e39de09f5c08e7732e1d22d3ae97ac24816b65eaaef71043"
  },
  "0.1.0-r1": {
    "agents": "sha256:ca6710f48e3da871da381060f2bdbf450b14b2d69ef5cf97bc713c1f6fb7442a",
    "clients": "sha256:fdd2a0fd4a37fa7363efaa77681e2d6e77f177b8898c3386c04b9544592cb451"
  }
};
