// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:a50d2612d8212ee643c2c72224370587a121f3ffd5597f651b8830802a670ce7",
    "clients": "sha256:0891e698c36ef73fa2e79adb1dfc47693402dc5470da4fb7f17a868bdbeab9c7"
  },
  "1.0.0-r1": {
    "agents": "sha256:1d5280b8481f71bcc987f5923e656d132ae8d99f97cf253ddf2749a106086af0",
    "clients": "sha256:6efdc48e0792f957d4f0662b42a6abeabeb8975595d27a58b2948460fe31b3a6"
  },
  "0.3.0-r1": {
    "agents": "sha256:37460130305a47ece93ab359fb2a41e4dff039c1985f2045801483da3dc95a0a",
    "clients": "sha256:fd856caccaf6b3022dc0829317e841cbd80cd79795c6891285d1174843e5519c"
  },
  "0.2.6-r1": {
    "agents": "sha256:58d131ac25a1bbdcf1358673a085447149e6bc118c0b5f8287ea57a0213b65ab",
    "clients": "sha256:78ba024254d725bb09b4bdafbb334acbe7b422ff438cbeb72b7f89bcbffa1e4c"
  },
  "0.1.0-r1": {
    "agents": "sha256:2b0c93d089061592c49c3d6bd5110f1adc210bdd02e2ad369ea404d15da9a41c",
    "clients": "sha256:18b62dac63ea932d062e69ceb88643b84706b9005e5f3b0bfeaaa74ee44f2828"
  }
};
