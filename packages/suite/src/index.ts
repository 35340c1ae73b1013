export { type CheckInfo, type CoverageRow, checks, coverage, selectChecks } from "./info.ts";
export { catalogue, defaultRuleSet, type RuleSet, ruleOf, ruleSets } from "./rules/catalogue.ts";
export { type Permission, permissions } from "./rules/permissions.ts";
export type { Rule } from "./rules/rule.ts";
export {
  type BaselineEntry,
  type Expectations,
  type Principal,
  type PromptKind,
  promptKinds,
  type TestOptions,
} from "./runner/options.ts";
export { testAgent } from "./runner/run.ts";
export { UnknownFilter } from "./runner/select.ts";
