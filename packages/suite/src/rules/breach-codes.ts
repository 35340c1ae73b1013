/**
 * What a check can see of a rule that is not kept. `broken` is the plain case, in which level and basis of the rule decide;
 * every other code has rows in `severity.yaml` that say what it comes to, for which rules, bindings and versions.
 */
export const breachCodes = {
  broken: "not kept, in the plain sense of the rule's text",
  crashed: "a crash, a hang or a broken frame in answer to a request that is well understood",
  "blocks-others": "what stands in the way of other rules is itself not kept",
  odd: "to be dissolved into codes of their own",
  tolerated: "to be dissolved into codes of their own",
  "error-table-1.0.0": "the right error, with the numbers that the table of 1.0.0 gives it",
} as const satisfies Record<string, string>;

export type BreachCode = keyof typeof breachCodes;
