// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:faf33772b4f91e00b4aad7bab8b23f05b74967c1c5dc239846a179fb0088d64a",
    "clients": "sha256:4a2006dc2ea89b66c0987d0b8613341691ac8188b549b474244e00009e1a6466"
  },
  "1.0.0-r1": {
    "agents": "sha256:b54c916389568d81db8b2422d28a9fdd1d96276eb0de85350b5a845cb5c6564f",
    "clients": "sha256:a83ce6e8fbefeb3b755ef1823d3348ee7ad00528db770adb15f5c49d819365c3"
  },
  "0.3.0-r1": {
    "agents": "sha256:162442d0ee1aa74ef344a176a5f2467ce7ca00327af73008f44f220edd6a9727",
    "clients": "sha256:72930e4916aa4b061d869739e37655ed680590dc5953b9eb4afc6d65ff1c1241"
  },
  "0.2.6-r1": {
    "agents": "sha256:1993a71f5c377618bf7564d42d581a30a7f492af7f60f5fd65880a2439b1a5bf",
    "clients": "sha256:fc5f6d9cba5584e518136e1a848b75de6e02e15e2af3fe735cedc0e1dc68d9c5"
  },
  "0.1.0-r1": {
    "agents": "sha256:4db17a99f23bbd2f92a7818fe43a89e49e4e7573eb366b36274b145ae208b332",
    "clients": "sha256:d90d3131cff6c9f5c207f808793094f08ff5fce5d246b9015148673eebe7a6d4"
  }
};
