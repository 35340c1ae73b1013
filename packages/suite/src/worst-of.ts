import type { Finding } from "./finding.ts";
import { gravest } from "./policy.ts";
import { ruleOf } from "./rules/catalogue.ts";
import type { Target } from "./target.ts";

/** Of all that was tried for one rule, what weighs most. */
export const worstOf = (id: string, findings: readonly Finding[], { strict }: Pick<Target, "strict">): Finding =>
  gravest(ruleOf(id)!, findings, strict);
