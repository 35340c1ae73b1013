import type { Finding } from "./finding.ts";
import type { Lab } from "./lab.ts";
import { gravest } from "./policy.ts";
import { ruleOf } from "./rules/catalogue.ts";

/** Of all that was tried for one rule, what weighs most. */
export const worstOf = (id: string, findings: readonly Finding[], { strict }: Pick<Lab, "strict">): Finding =>
  gravest(ruleOf(id)!, findings, strict);
