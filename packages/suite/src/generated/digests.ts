// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:3336947cdfdbd70c83118890b6de909477166e4969e2cae2d094117a4c5412b2",
    "clients": "sha256:ed6b7cd4f07e8d644a7ddedd6a249424bdc2772fb93898b340ce5f29604d71f7"
  },
  "1.0.0-r1": {
    "agents": "sha256:c5f63e0fffab0b834e386bb5a711e6ac0e4137f39743b72ed2579381919fde0a",
    "clients": "sha256:f8d7144b6939744234f388e422f16090e9f200ed172609b50f1da75b59c6e12b"
  },
  "0.3.0-r1": {
    "agents": "sha256:25390b34105a912fdd5b3d703117e46d4e8440658b3f772bb93d339d505db286",
    "clients": "sha256:d7b928dd44f35a99e8b1b6d6f84646c260610ea526a77bd79865b98093b9e54a"
  },
  "0.2.6-r1": {
    "agents": "sha256:2416203210d8d92cdc6c681dda2cc0b46a323b6fff1dca2da5d90957edfd6634",
    "clients": "sha256:384036bca42ecba0e39de09f5c08e7732e1d22d3ae97ac24816b65eaaef71043"
  },
  "0.1.0-r1": {
    "agents": "sha256:d50c3810ac2659943056493397dce7876f444b85ece4008b61b3666ff7f44c90",
    "clients": "sha256:fdd2a0fd4a37fa7363efaa77681e2d6e77f177b8898c3386c04b9544592cb451"
  }
};
