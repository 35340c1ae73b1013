// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:9c11b44a7b9657b57d34bfbae7b306e75438521eba7e7c3e2ab6350affed0cb3",
    "clients": "sha256:0891e698c36ef73fa2e79adb1dfc47693402dc5470da4fb7f17a868bdbeab9c7"
  },
  "1.0.0-r1": {
    "agents": "sha256:c2e7be9e90bd6822323bbc0e6160fd98a76f684c5931d7391eb602f511e9bc0c",
    "clients": "sha256:6efdc48e0792f957d4f0662b42a6abeabeb8975595d27a58b2948460fe31b3a6"
  },
  "0.3.0-r1": {
    "agents": "sha256:f3aaccb375ace68bfe9fec5a74287b08b7b0b756062a6b64f9ff748d8159e026",
    "clients": "sha256:fd856caccaf6b3022dc0829317e841cbd80cd79795c6891285d1174843e5519c"
  },
  "0.2.6-r1": {
    "agents": "sha256:219c5e2e27bb02cd1dbf87ed16f4f1c91f68c741e0d47b49611be2e61a798f34",
    "clients": "sha256:78ba024254d725bb09b4bdafbb334acbe7b422ff438cbeb72b7f89bcbffa1e4c"
  },
  "0.1.0-r1": {
    "agents": "sha256:c7fbff327d9ee833a6bc735ac46667cbfd053478ed164e1adc54dc02ee91fe4d",
    "clients": "sha256:18b62dac63ea932d062e69ceb88643b84706b9005e5f3b0bfeaaa74ee44f2828"
  }
};
