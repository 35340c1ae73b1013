// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:963fecf9db26947b773d32305d8b68650ac4758139cd025d28bcf150f6397ec4",
    "clients": "sha256:1ace942a65e1bca636086eb9c6e1b23211015ce96b789b30cd405b80ea3445ca"
  },
  "1.0.0-r1": {
    "agents": "sha256:1c6744a9a8a4797416575c7b40fa0e297af386b0209771de76fe42f62b4f13db",
    "clients": "sha256:6e1069d035fda77d57986c0bdc091f81552a1dc6311cbc4b4ccd2ff37aa84fce"
  },
  "0.3.0-r1": {
    "agents": "sha256:5e1a92496be88b19d910be3901e93725d39ae2e1d9e255e86aff16c5e65a8c9d",
    "clients": "sha256:9d33c8809680da1300c4297b50cbc0f49efb4cf892a9f47c24a79423158d745c"
  },
  "0.2.6-r1": {
    "agents": "sha256:412602fdfac2c076f734f537a83454e68d35fb57fdedf98d5ba6db695a033cd2",
    "clients": "sha256:1a71abd6bb394f3e8c4a4cc19489d23a9f83412e0b50a0a6e076e7a715d75dbc"
  },
  "0.1.0-r1": {
    "agents": "sha256:9c291cf4f5cc10fa809363f52527f4c672b5ccabfb695261e4bdfa24c3924c61",
    "clients": "sha256:905568e3a19c3b29ef9cd73a3df6819853568bb945240c1f8bc9f66e753c9dcf"
  }
};
