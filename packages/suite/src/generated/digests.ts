// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:dbce09e7f4b282b9e52502cdde80a50627917566543f7c0f0e79bb98b816f9d1",
    "clients": "sha256:b563a8045967e54e9c5febfda4afb2bc92c8949754a42acb221014e48a57e87c"
  },
  "1.0.0-r1": {
    "agents": "sha256:96daa2b9288511588b1e0118d730d451b0fda31ac6e16d66688ed423ccf3863e",
    "clients": "sha256:94643601d6e205d626e241496cf824882041d96ea70e485e234722377452edae"
  },
  "0.3.0-r1": {
    "agents": "sha256:d946c5a77c53d8e68071744b871956997af974a92885fb1e354db97db30f9d6b",
    "clients": "sha256:8953efed19b6983b2ef233412439124eb5f569fe0591f17d56ade196b1bba6bd"
  },
  "0.2.6-r1": {
    "agents": "sha256:2e208980a29957cfe1bd04033b10f9e9e2b321c1dfa8ab798f40f0b187818a40",
    "clients": "sha256:8bf7045e886d45a09df3b6d367f3e4798a9e4521007614d24165da96576570c6"
  },
  "0.1.0-r1": {
    "agents": "sha256:27c193d86274a2ee33a96f2ec9339a5f0611b5d9472427e5dabe3033c918075a",
    "clients": "sha256:18b62dac63ea932d062e69ceb88643b84706b9005e5f3b0bfeaaa74ee44f2828"
  }
};
