// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:c299eb4f0ebaa3fbe94d39c174c7e73deed899202399f3db5334a1fde82f9575",
    "clients": "sha256:5a29763f09bc7d155b1b858ec514b114c89eb9e8c8c8d9785dd96c8befd8835b"
  },
  "1.0.0-r1": {
    "agents": "sha256:7cc0a2a7b0e5ac45ce49bbbcf7a01f2dbd86ff1a51fdddbaa1a26642ffb522d6",
    "clients": "sha256:9350163e32bd491081edcef72e9661390e06b8209d916a97c1657958610b07a3"
  },
  "0.3.0-r1": {
    "agents": "sha256:04fac89f4aa4a02fc4a0088c7f79adc4608f547d98797782286308b98ed52271",
    "clients": "sha256:d7aaa220e6e6e4dc9bfe2c23c97362693baee6c5932f2f3bfcc17b6c72663104"
  },
  "0.2.6-r1": {
    "agents": "sha256:d2299374a640690c0cc7f6dde7a643d661fa24a52308d0879e7f1bb5721dcc7b",
    "clients": "sha256:fc5f6d9cba5584e518136e1a848b75de6e02e15e2af3fe735cedc0e1dc68d9c5"
  },
  "0.1.0-r1": {
    "agents": "sha256:d566fe3582a897a2ccd58e57a50549737864a070da64fbd0140de98d203a4770",
    "clients": "sha256:d90d3131cff6c9f5c207f808793094f08ff5fce5d246b9015148673eebe7a6d4"
  }
};
