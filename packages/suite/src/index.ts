export { matchesName } from "./answers/expect-error.ts";
export { type AgentFacts, factsOf } from "./card/agent-facts.ts";
export { cardDigest } from "./card/card-digest.ts";
export { clientChecks, passiveClientChecks, situationChecks } from "./checks/index.ts";
export { accomplished } from "./client/accomplished.ts";
export { offerOf } from "./client/agent-offer.ts";
export type { PassiveClientCheck } from "./client/client-check.ts";
export {
  type ClientPlace,
  ClientReporting,
  type ClientReportingOptions,
  clientInterface,
} from "./client/client-reporting.ts";
export type {
  AgentOffer,
  CardFetch,
  ClientCall,
  ClientRequest,
  ClientTraffic,
  StrayRequest,
} from "./client/client-request.ts";
export { callsOf, isAccepted } from "./client/client-request.ts";
export { type ClientFinding, judgeCall } from "./client/judge-call.ts";
export { operationAsked } from "./client/operation-asked.ts";
export { createRequestReader, type RequestReader } from "./client/read-request.ts";
export type { SentNotification, SituationCheck, SituationSeen, SpokenInterface } from "./client/situation-check.ts";
export {
  type ClientAction,
  clientActions,
  type Situation,
  type SituationId,
  situationOf,
  situations,
  type TrustSituationId,
} from "./client/situations.ts";
export type { BaselineEntry } from "./define/baseline-entry.ts";
export type { Call } from "./define/call.ts";
export type { Expectations } from "./define/expectations.ts";
export { notExamined } from "./define/finding.ts";
export type { LiveStream } from "./define/live-stream.ts";
export { Obstacle } from "./define/obstacle.ts";
export type { CertificateAndKey, PrincipalCredentials, PrincipalName } from "./define/principal.ts";
export { type PromptKind, promptKinds } from "./define/prompt-kind.ts";
export type { How, HttpChange, Target } from "./define/target.ts";
export { adviceRows } from "./faults/advice.ts";
export { sdkCalls } from "./generated/sdk-calls.ts";
export { type Notification, readNotification } from "./observations/notifications.ts";
export { Redactor } from "./redaction/redactor.ts";
export {
  catalogues,
  concerns,
  defaultRuleSet,
  drafts,
  everyRule,
  type RuleSet,
  ruleIn,
  ruleOf,
  ruleSetFor,
  specUrl,
  textWith,
  versionsWith,
} from "./rules/catalogue.ts";
export { type Permission, permissions } from "./rules/permissions.ts";
export type { Rule } from "./rules/rule.ts";
export { type DraftSet, isDraft, ruleSets } from "./rules/rule-sets.ts";
export { AgentNotFound } from "./runner/agent-not-found.ts";
export type { AgentProcess } from "./runner/agent-process.ts";
export { boundCredentials } from "./runner/credentials.ts";
export { isTestbed } from "./runner/discover/is-testbed.ts";
export { eventsOf } from "./runner/execute/events-of.ts";
export { ExchangeLog } from "./runner/execute/exchange-log.ts";
export { maskedEvent } from "./runner/masked-event.ts";
export { type OpenRun, openRun } from "./runner/open-run.ts";
export type { TestOptions } from "./runner/options.ts";
export {
  type CheckInfo,
  type ClientCheckInfo,
  type CoverageRow,
  checks,
  clientCheckOf,
  coverage,
  selectChecks,
  selectClientRules,
} from "./runner/plan/check-info.ts";
export { type Rehearsal, type RehearsedRequest, type RehearsedText, rehearse } from "./runner/rehearsal.ts";
export { smallHeap } from "./runner/small-heap.ts";
export type { BusyWait } from "./runner/target/busy.ts";
export { testAgent } from "./runner/test-agent.ts";
export { isSurelySlow } from "./stimuli/brought-about.ts";
export { hasKeywordSkills } from "./stimuli/keyword-skills.ts";
export { readsText } from "./stimuli/parts.ts";
export { type JudgedDelivery, type JudgedTraffic, PairJudge, type TrafficOptions } from "./traffic/pair-judge.ts";
export type { ToldOfTraffic, TrafficBreach } from "./traffic/party-checks.ts";
export { WebhookRegistrations } from "./traffic/webhook-registrations.ts";
export { type Mailbox, startReceiver, type WebhookDelivery, type WebhookReceiver } from "./webhook/receiver.ts";
