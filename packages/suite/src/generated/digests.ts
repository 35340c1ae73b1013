// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:b3cfbd2ce4eb07b03ce005341b19be9db8c58c05cc28efafe112f6a72055ea84",
    "clients": "sha256:0891e698c36ef73fa2e79adb1dfc47693402dc5470da4fb7f17a868bdbeab9c7"
  },
  "1.0.0-r1": {
    "agents": "sha256:e139db3489e48baceacada41e0fe2e995ec384e4684e2d224128f79d6cde15fa",
    "clients": "sha256:6efdc48e0792f957d4f0662b42a6abeabeb8975595d27a58b2948460fe31b3a6"
  },
  "0.3.0-r1": {
    "agents": "sha256:7931ec2e48924629e041bdd4f261baedac77354dd1e06b9089038a9da08bdcb9",
    "clients": "sha256:fd856caccaf6b3022dc0829317e841cbd80cd79795c6891285d1174843e5519c"
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
