export type { BaselineEntry } from "./baseline-entry.ts";
export type { Call } from "./call.ts";
export { matchesName } from "./expect-error.ts";
export type { Expectations } from "./expectations.ts";
export { type CheckInfo, type CoverageRow, checks, coverage, selectChecks } from "./info.ts";
export type { LiveStream } from "./live-stream.ts";
export type { PrincipalName } from "./principal.ts";
export { type PromptKind, promptKinds } from "./prompt-kind.ts";
export {
  catalogues,
  defaultRuleSet,
  type RuleSet,
  ruleIn,
  ruleOf,
  ruleSetFor,
  ruleSets,
  versionsWith,
} from "./rules/catalogue.ts";
export { type Permission, permissions } from "./rules/permissions.ts";
export type { Rule } from "./rules/rule.ts";
export { testAgent } from "./runner/execute/run.ts";
export { NobodyThere, type OpenSitting, openSitting } from "./runner/open-run.ts";
export type { TestOptions } from "./runner/options.ts";
export { UnknownFilter } from "./runner/plan/select.ts";
export { isTestbed } from "./stimuli/prompts.ts";
export type { How, HttpChange, Target } from "./target.ts";
export type { WebhookReceiver } from "./webhook/receiver.ts";
