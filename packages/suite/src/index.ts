export { matchesName } from "./expect-error.ts";
export { type CheckInfo, type CoverageRow, checks, coverage, selectChecks } from "./info.ts";
export type { How, HttpChange, Lab, PrincipalName } from "./lab.ts";
export type { LiveStream } from "./live-stream.ts";
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
export { NobodyThere, type OpenSitting, openSitting } from "./runner/open-sitting.ts";
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
export { isTestbed } from "./stimuli/prompts.ts";
export type { Talk } from "./talk.ts";
export type { Delivery, Mailbox, WebhookReceiver } from "./webhook/receiver.ts";
