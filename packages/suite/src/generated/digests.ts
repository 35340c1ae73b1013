// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:bbe0e59bd2a88e30150157313e6fd91d38056bd844697f96df22a8f68cbe0979",
  "1.0.0-r1": "sha256:07c4dec542ee4cbbed8fea3e8eb010549144f0027cb478371acfc2d1ab2a7350",
  "0.3.0-r1": "sha256:c98e8d38f3ce4859a928e388f22af3b65a36c02c9d057be37b399054e4539c2e",
  "0.2.6-r1": "sha256:72e050c8061b8a5fd60777e53d3907247d9355ce4a2a78aa5a805ecefafeee09",
  "0.1.0-r1": "sha256:0c45caa5ba9aac02a0d854278c5fd14863686a2aa718bfca943ac4fd9ec5e521"
};
