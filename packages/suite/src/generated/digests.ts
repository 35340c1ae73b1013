// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:1e66be8945922cee41b25d44cb18e27e125319b1dac321fd2a7d38b8930c9717",
  "1.0.0-r1": "sha256:499c98403bfcdd42d965e6e9cab6e647d4355a6a3634deeda529ca1475c13ac3",
  "0.3.0-r1": "sha256:d946c5a77c53d8e68071744b871956997af974a92885fb1e354db97db30f9d6b",
  "0.2.6-r1": "sha256:2e208980a29957cfe1bd04033b10f9e9e2b321c1dfa8ab798f40f0b187818a40",
  "0.1.0-r1": "sha256:27c193d86274a2ee33a96f2ec9339a5f0611b5d9472427e5dabe3033c918075a"
};
