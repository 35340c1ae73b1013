// Generated from rules/*.yaml by `npm run generate`. Do not edit.

import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = {
  "1.0.1-r1": "sha256:015e88c1e46d166a3c98292a8309d3ca0e9f916285e95443e81435a620212117",
  "1.0.0-r1": "sha256:b0edf0fb843f3811c6c4cecbdd4b94161d3545f04d886a16f23bf2b06a5edfab",
  "0.3.0-r1": "sha256:09abc176764b308024e9635425824f2dc736d089ad585f92a86683949828e080",
  "0.2.6-r1": "sha256:a7d6297701d6dd64dbea9ecbfad3a65eccb6c2867c1b5146a858f9955e781862",
  "0.1.0-r1": "sha256:947d5023cf0e051bd2fafe260881e91d0824447fe47ca041df0317bb097a28ec"
};
