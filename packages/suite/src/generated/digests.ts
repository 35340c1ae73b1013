// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:9a6b49fc054b2c49211cf5fe64c8a0fcbddbedc3b083f2ba51bec2a592b2fb41",
    "clients": "sha256:8eaa36259582e6bc8a2641a8ae851e7da476ab14ee513669eba98c26a87d2304"
  },
  "1.0.0-r1": {
    "agents": "sha256:327105e80df01b2ffd02e773f88f732c863cf2c84438a4e82360e1fb448968a2",
    "clients": "sha256:19196bfa08d7c8ee3567a0ab86d2b39a5b151873a3c1562f207d2b3b21c57297"
  },
  "0.3.0-r1": {
    "agents": "sha256:1e40a270869cec8a5895c03914ce30651e814f1b75dc77dc31b8e0b7083920fc",
    "clients": "sha256:0316b3642f2033db2f3541537ef8deab62a0e57a0ee530ca8f3ddfa0c64c5781"
  },
  "0.2.6-r1": {
    "agents": "sha256:bd5ef4265d223bef02513524ca1f2c2e268e692c4fdad1c14a33694420be5435",
    "clients": "sha256:078882b462e5602367e7e86c77aff52c0cc6652204162633b18a65f72e49264f"
  },
  "0.1.0-r1": {
    "agents": "sha256:378f71a1b22ab8847517cacdcc26d412f86bc9f21eecde3e268093aba194646b",
    "clients": "sha256:721c53ef11472ca4eee8999b43b2d9c196cf7504ae89f2f7aced948e6b173ed4"
  }
};
