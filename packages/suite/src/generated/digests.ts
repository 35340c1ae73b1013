// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:de856d0cfdd14cfb83032f2fd95706b75a8082cf0e7146419b2a850b63dc3380",
    "clients": "sha256:3383997c85dcfc13e5a6426b0f073186849a5936f3770f67b3dbfe073d29aa36"
  },
  "1.0.0-r1": {
    "agents": "sha256:677128245b34fc51163375e5aedd466402d544bcb0e1a938c778232610900b75",
    "clients": "sha256:fd42e55347f1c3237550175dcdefb6053780a323f70a11332cc62e1a5aba8ebc"
  },
  "0.3.0-r1": {
    "agents": "sha256:becd54b1834e05b196a33a740eba3ef4e7cf94399ae5b3d8575ca6014dc36e10",
    "clients": "sha256:0313c24982253b80660b965c6b398ce004a50f6155ce0fa5912eed4c13f76964"
  },
  "0.2.6-r1": {
    "agents": "sha256:4dccfb694d98fa87e0c833ee9ecb34692d806661651a6262b2159c8504b01f0f",
    "clients": "sha256:5e14a4b7dc1a675463c7dd5fd45fa0c5097bb0123ebe4016446cd80267b52f97"
  },
  "0.1.0-r1": {
    "agents": "sha256:d3a938c4fc7493a9b648eb6dfb832ff54c63e01ff171f2ad3e52d0eb9871041e",
    "clients": "sha256:ac034c97e5086b08adaf32f30cbe2dd7c78923a7e4a8d2ecea298c4849f56561"
  },
  "1.1-draft1": {
    "agents": "sha256:c730ba02071a52fa7d018181dca7966eef9e568a4e4da90fe5b65a53f35a695b",
    "clients": "sha256:2468b01cea13a2eb0b1de6937858752a97508c92028e868c7567798e746812f5"
  }
};
