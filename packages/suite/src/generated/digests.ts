// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:39a82155ba22c68b72e4d697b0ad5e27456d23b866fc01cf818ef783bbae5f4d",
    "clients": "sha256:ed6b7cd4f07e8d644a7ddedd6a249424bdc2772fb93898b340ce5f29604d71f7"
  },
  "1.0.0-r1": {
    "agents": "sha256:08cfbf6314146618d87df9561a29e2ccf52dc847c4d90027b02a1bc6224d9190",
    "clients": "sha256:f8d7144b6939744234f388e422f16090e9f200ed172609b50f1da75b59c6e12b"
  },
  "0.3.0-r1": {
    "agents": "sha256:263c0d7c40442ed1d42db6d035dcb8d014f6534114aae6cb42eab71a929d5972",
    "clients": "sha256:d7b928dd44f35a99e8b1b6d6f84646c260610ea526a77bd79865b98093b9e54a"
  },
  "0.2.6-r1": {
    "agents": "sha256:12c197363102e0d22c46686c0224a573761d15f861af8944d7918b2dd3fe7261",
    "clients": "sha256:384036bca42ecba0e39de09f5c08e7732e1d22d3ae97ac24816b65eaaef71043"
  },
  "0.1.0-r1": {
    "agents": "sha256:19a4940dc762716b38dd0272916b0804c686f819f2d08ddd5c0cd6fe20689df3",
    "clients": "sha256:fdd2a0fd4a37fa7363efaa77681e2d6e77f177b8898c3386c04b9544592cb451"
  }
};
