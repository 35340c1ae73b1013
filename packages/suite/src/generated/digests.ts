// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:b78bda47bbefae21abab986f822b2b7fe90d839fd472349b7f5fe4f08a7e5051",
    "clients": "sha256:8fb9956775e0e7b4ca5f8895248228784d94e382514016619e81667642450821"
  },
  "1.0.0-r1": {
    "agents": "sha256:d359d1eda78ac0808afc5df9f3ec8cfd8e382c533ed2c1444333cea0b9065ef3",
    "clients": "sha256:fa43a1943b7fa2622523e6785db0da8b055d3418c3f7efeb63fc9e00bcf52d6c"
  },
  "0.3.0-r1": {
    "agents": "sha256:8329bd7c4a39ea3a09c0d1e9599ba824de0f26b4ee0f0a0e6ac0d53761a88e95",
    "clients": "sha256:a7f847781af184a0de4fa0e4f3b676acea6ad485d1b1815b142fab7bca649762"
  },
  "0.2.6-r1": {
    "agents": "sha256:946116ca161f54f69e0b90d7e38c56724a3e41c72d4b0e0b77d2999114de2a4c",
    "clients": "sha256:78ba024254d725bb09b4bdafbb334acbe7b422ff438cbeb72b7f89bcbffa1e4c"
  },
  "0.1.0-r1": {
    "agents": "sha256:5a1df23a4d625592a9caa059eba298d2d639c5c10ebdd16d297be08baef103ab",
    "clients": "sha256:18b62dac63ea932d062e69ceb88643b84706b9005e5f3b0bfeaaa74ee44f2828"
  }
};
