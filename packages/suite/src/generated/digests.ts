// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:e590bf022136b89c40856e0331ed5283ad0810c752c4a3a041470632544b5420",
    "clients": "sha256:0891e698c36ef73fa2e79adb1dfc47693402dc5470da4fb7f17a868bdbeab9c7"
  },
  "1.0.0-r1": {
    "agents": "sha256:f027190481022f6fc56ea5148aac9ad011a1f642cf9126f952612db2609bf824",
    "clients": "sha256:6efdc48e0792f957d4f0662b42a6abeabeb8975595d27a58b2948460fe31b3a6"
  },
  "0.3.0-r1": {
    "agents": "sha256:70a492b6f81eb0252cf6954db24b9be9a9cbb4c30b7629e9ca654f9d4c3986e2",
    "clients": "sha256:fd856caccaf6b3022dc0829317e841cbd80cd79795c6891285d1174843e5519c"
  },
  "0.2.6-r1": {
    "agents": "sha256:f6d58bcfc987c5bcc8f0fe65b4461a20e69171f34b35e436b38445147223a7f1",
    "clients": "sha256:78ba024254d725bb09b4bdafbb334acbe7b422ff438cbeb72b7f89bcbffa1e4c"
  },
  "0.1.0-r1": {
    "agents": "sha256:b7f5c5d2434638a038c7f40cbcfd9f9ecb30bfa5afd71f9adba2f9fd6485175a",
    "clients": "sha256:18b62dac63ea932d062e69ceb88643b84706b9005e5f3b0bfeaaa74ee44f2828"
  }
};
