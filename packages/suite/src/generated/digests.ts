// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:61adba9484b105767043f59def8c727976923f26ba9dc1ac2bdfaadb212734dd",
    "clients": "sha256:24889194f7fb9e68602710f3722c9d837a5c3fbfdb5e031cec11f20224f7491c"
  },
  "1.0.0-r1": {
    "agents": "sha256:a479243ad45c6f145dac0ba814b430110c4aca0705f0c3593791e78bb4920b12",
    "clients": "sha256:1f0a24f73617239de3d0fcae0b93e2ccb2155e89cc9e8ac4ea0a2e93283a54ff"
  },
  "0.3.0-r1": {
    "agents": "sha256:222b740eed647b90cee7f9fa05adaadfa4389c046150b59820b71689cd275408",
    "clients": "sha256:82ce93159cfe0c0ebefaa339a277d6612b26049de1b03d9d2d1f4dce4596310d"
  },
  "0.2.6-r1": {
    "agents": "sha256:a748384105b4b59fd89a219d40f932437acfd6ee6b6176c7d949eca43ea07e1a",
    "clients": "sha256:8d69b24e02dd6ee65ceead31ebcfc4f039cfe8a77a938dbb813c498ed6d4c97a"
  },
  "0.1.0-r1": {
    "agents": "sha256:bfb20509b94b18813672a0c546c0d5aee9d18394be5e92df2fe337026a3c4bce",
    "clients": "sha256:407f8d5ca4e7efbb88b8be95464b046aada0187cb6108a9b55fc6af96c0d812a"
  }
};
