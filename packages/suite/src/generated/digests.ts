// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:da56f37f770a9dcc1ceab8a8165dffd457d5b8ae9677fa6d19cbc1ce55d951b5",
    "clients": "sha256:0cbb59adadc3acd56b882a526f2c262fc5433eaf23a1fd015b0bbc2832b26c83"
  },
  "1.0.0-r1": {
    "agents": "sha256:5c839383236f8f1ff7711f8526ecac479c463da0a7b235e66faf1c5f4b368fe4",
    "clients": "sha256:d334c586fcc5ef0b2780bbb397a635f7fb77546ed01993d7bb21381120285794"
  },
  "0.3.0-r1": {
    "agents": "sha256:c300b387bccd43531712bb8446f17d883b0e5b14e8d526279d0ce5cbc37bf6f6",
    "clients": "sha256:8a5d25025b794587d59ccb3ca86cc8c1e70d6f77d1f794e33d46eab6ab239599"
  },
  "0.2.6-r1": {
    "agents": "sha256:f4a41f394a39947ef316d979d4b16739783a33d9d31f40c048db136efb0d0c01",
    "clients": "sha256:6e478847be73a99ee23039cc8559a99412cc2fc59ed3a84d3da78188c6962705"
  },
  "0.1.0-r1": {
    "agents": "sha256:2127776ab58bb4364adb6ab48fd132a884f0ed4806b7919300f9d24bcd502c39",
    "clients": "sha256:82db2be701cce0a9c8a86723204d81cb30a85f00162a72cbb90e7d319ac1e6d8"
  }
};
