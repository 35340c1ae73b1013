// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:dbce09e7f4b282b9e52502cdde80a50627917566543f7c0f0e79bb98b816f9d1",
    "clients": "sha256:c97840733905f0571ed936425f2e080b9cb1abc2bd85c413b21b933c689e2a9c"
  },
  "1.0.0-r1": {
    "agents": "sha256:96daa2b9288511588b1e0118d730d451b0fda31ac6e16d66688ed423ccf3863e",
    "clients": "sha256:c84f05033607d2c851d8fc5011ff70490b94c43bdf603f129832dd676ab3fbdb"
  },
  "0.3.0-r1": {
    "agents": "sha256:d946c5a77c53d8e68071744b871956997af974a92885fb1e354db97db30f9d6b",
    "clients": "sha256:b1ad58232125ead80e6c5b6558fb9c703d818718a2fd38118cd4a42eb2f3179b"
  },
  "0.2.6-r1": {
    "agents": "sha256:2e208980a29957cfe1bd04033b10f9e9e2b321c1dfa8ab798f40f0b187818a40",
    "clients": "sha256:10e4be9d13fb2da03627f7b8b9e214b4e0ee2d09ba153df4b0dccfa347f381ee"
  },
  "0.1.0-r1": {
    "agents": "sha256:27c193d86274a2ee33a96f2ec9339a5f0611b5d9472427e5dabe3033c918075a",
    "clients": "sha256:18b62dac63ea932d062e69ceb88643b84706b9005e5f3b0bfeaaa74ee44f2828"
  }
};
