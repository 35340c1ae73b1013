// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:c620d70fec46e656202adfa3bdb8d6257e67940b8852baab2ce57d40a521511e",
  "1.0.0-r1": "sha256:4d49ba700429c03c1d1bf18bdd0a6be282f9078fa25bbbf90340c868544fed90",
  "0.3.0-r1": "sha256:d946c5a77c53d8e68071744b871956997af974a92885fb1e354db97db30f9d6b",
  "0.2.6-r1": "sha256:2e208980a29957cfe1bd04033b10f9e9e2b321c1dfa8ab798f40f0b187818a40",
  "0.1.0-r1": "sha256:27c193d86274a2ee33a96f2ec9339a5f0611b5d9472427e5dabe3033c918075a"
};
