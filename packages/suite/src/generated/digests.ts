// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:dbce09e7f4b282b9e52502cdde80a50627917566543f7c0f0e79bb98b816f9d1",
    "clients": "sha256:b5f3e80c22454ad2beb18c8eb09e4c029262061820e799225b756741dcf0685d"
  },
  "1.0.0-r1": {
    "agents": "sha256:96daa2b9288511588b1e0118d730d451b0fda31ac6e16d66688ed423ccf3863e",
    "clients": "sha256:7041004d18ce981bda6a978123b3ce1c4149aeedc41799345d309b0ae719692c"
  },
  "0.3.0-r1": {
    "agents": "sha256:d946c5a77c53d8e68071744b871956997af974a92885fb1e354db97db30f9d6b",
    "clients": "sha256:fd856caccaf6b3022dc0829317e841cbd80cd79795c6891285d1174843e5519c"
  },
  "0.2.6-r1": {
    "agents": "sha256:2e208980a29957cfe1bd04033b10f9e9e2b321c1dfa8ab798f40f0b187818a40",
    "clients": "sha256:78ba024254d725bb09b4bdafbb334acbe7b422ff438cbeb72b7f89bcbffa1e4c"
  },
  "0.1.0-r1": {
    "agents": "sha256:27c193d86274a2ee33a96f2ec9339a5f0611b5d9472427e5dabe3033c918075a",
    "clients": "sha256:18b62dac63ea932d062e69ceb88643b84706b9005e5f3b0bfeaaa74ee44f2828"
  }
};
