import { ruleOf } from "@assay/suite";
import type { FindingGroup } from "@assay/suite/report";
import { z } from "zod";
import { untrusted, untrustedText } from "../untrusted.ts";

/** A finding in a list: enough to choose one and to know the fix. */
export const findingLine = z.strictObject({
  finding: z.number().int().positive().describe("pass this number to get_finding").optional(),
  rule: z.string(),
  also_breaks: z.array(z.string()).optional(),
  level: z.string(),
  title: z.string().describe("the behaviour that the rule requires"),
  where: z.string(),
  fix: z.string(),
  observed: untrustedText,
});

/** The maximum number of other rules to name in a line. */
const namedRules = 5;

/** `number` is the position among the failures; a warning has none. */
export function lineOf(
  { test, also, message, where, example }: FindingGroup,
  number?: number,
): z.infer<typeof findingLine> {
  return {
    ...(number !== undefined && { finding: number }),
    rule: test,
    ...(also.length > 0 && { also_breaks: also.slice(0, namedRules) }),
    level: example.level,
    title: example.title,
    where,
    fix: fixOf(test),
    observed: untrusted(message),
  };
}

/** The fix in the words of the rule, which quote no agent. */
export const fixOf = (rule: string): string => ruleOf(rule)?.remedy ?? "Read the rule: explain_rule.";
