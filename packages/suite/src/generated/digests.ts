// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = {
  "1.0.1-r1": {
    "agents": "sha256:0a81cdfadaff49b6c4fde9d9450fccbd2ce4fb5ac3b5fe3523c0f9e4c68d450e",
    "clients": "sha256:3383997c85dcfc13e5a6426b0f073186849a5936f3770f67b3dbfe073d29aa36"
  },
  "1.0.0-r1": {
    "agents": "sha256:57f1af8c52ca44d8d4065699fa688ccaec3daaa107dd49b42aa1a261700e3d43",
    "clients": "sha256:fd42e55347f1c3237550175dcdefb6053780a323f70a11332cc62e1a5aba8ebc"
  },
  "0.3.0-r1": {
    "agents": "sha256:279ffa81c221279790a12d9f80da8563b0585627f9c2b1d116c3fc1a038dd579",
    "clients": "sha256:0313c24982253b80660b965c6b398ce004a50f6155ce0fa5912eed4c13f76964"
  },
  "0.2.6-r1": {
    "agents": "sha256:ca6704fbb83b444d74ef3c0081c2bf1cf68222da44fade13ec7ebd1dd34cd1d3",
    "clients": "sha256:5e14a4b7dc1a675463c7dd5fd45fa0c5097bb0123ebe4016446cd80267b52f97"
  },
  "0.1.0-r1": {
    "agents": "sha256:61871d460f848c54f5b68359e8164ebe599ff43a98ff3a95e08d81c80647d087",
    "clients": "sha256:ac034c97e5086b08adaf32f30cbe2dd7c78923a7e4a8d2ecea298c4849f56561"
  },
  "1.1-draft1": {
    "agents": "sha256:4e293b20f3065abe896443a13d2b5fcfe44304692ab81b745056153bd81ae27d",
    "clients": "sha256:f0c5a44990b899d345d8920bb94cf4f011dc0640c8f572e2a0be1cb3d8921498"
  }
};
