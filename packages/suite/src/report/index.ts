export { jsonIn } from "@assay/protocol/json";
export type { HarEntry } from "@assay/wire";
export type { LearnedPrompt } from "../stimuli/learned.ts";
export {
  type ComparedRun,
  type Comparison,
  compareReports,
  comparisonTitle,
  type RuleChange,
  rulesIn,
} from "./compare.ts";
export {
  type ConformanceLevel,
  type ConformanceOutcome,
  type ConformanceReport,
  conformanceLevels,
  type DialectReport,
  type FixFirst,
  type PartyReport,
  type RootCause,
  type RunHeadline,
  resultsOf,
  type Scope,
  type Summary,
} from "./document.ts";
export { equivalenceOf, equivalenceText } from "./equivalence.ts";
export {
  type AgentFound,
  type CheckFinished,
  type CommandOutcome,
  cardWithoutLoginName,
  type Depth,
  depthCosts,
  depths,
  type ExchangeRecorded,
  type PeerTried,
  type Planned,
  peerTests,
  type RunEnding,
  type RunEvent,
  type RunFinished,
  type RunStarted,
  type RunSubject,
  type SituationEnding,
  type SituationFinished,
  type SituationStarted,
  type SkillTried,
  type SpokenDialect,
} from "./events.ts";
export { type FailureGroup, failuresOf } from "./fix-first.ts";
export { foldRun, RunState, reportOf } from "./fold.ts";
export {
  type ClientForecast,
  type ForecastVerdict,
  forecastAnswer,
  forecastVerdicts,
  type RunForecast,
} from "./forecast-document.ts";
export { exitCodeOf, failOnChoices, type Gates, requirableLevels, shutGates } from "./gate.ts";
export {
  bindingName,
  type FindingGroup,
  placeName,
  troublesOf,
  type UnexaminedGroup,
  unexaminedOf,
  warningsOf,
  whereOf,
} from "./group.ts";
export {
  firstStep,
  isPlainlyNew,
  levelText,
  messagesText,
  outcomeWord,
  rulesText,
  runHeadline,
  versionAnswer,
  weightText,
} from "./headline.ts";
export { lastKnown } from "./last-known.ts";
export { type LiveFinding, Progress } from "./progress.ts";
export { type HeadMismatch, headMismatch } from "./recompute.ts";
export { repeatLine, shellQuoted } from "./repeat.ts";
export {
  type AnswerPlace,
  type Category,
  type CategoryMember,
  type ComparedExchanges,
  type ConformanceResult,
  categories,
  type InterfaceName,
  interfaceKey,
  type RuleLevel,
  ruleKey,
} from "./result.ts";
export { lanesOf, type ScheduleLane, type SpanKind, spans, timeSpent } from "./schedule.ts";
export {
  type AgentSdk,
  type KnownFault,
  knownFaultText,
  sdkNames,
  sdkTitle,
} from "./sdk-faults.ts";
export { type Standing, standingOf } from "./standing.ts";
export { slowedDownText, type TransportTrouble, troubleCodes, troubleText } from "./trouble.ts";
export { type Status, type Unexamined, type VerdictName, verdictNames } from "./verdict.ts";
