export type { HarEntry } from "@assay/wire";
export type { LearnedPrompt } from "../stimuli/learned.ts";
export { type ComparedRun, type Comparison, compareReports, type RuleChange } from "./compare.ts";
export { isPlainlyNew } from "./dialects.ts";
export {
  type ConformanceLevel,
  type ConformanceOutcome,
  type ConformanceReport,
  conformanceLevels,
  type DialectReport,
  type PartyReport,
  type RootCause,
  type Scope,
  type Summary,
} from "./document.ts";
export {
  type AgentFound,
  type CheckFinished,
  type Depth,
  depths,
  type ExchangeRecorded,
  type Planned,
  type RunEnding,
  type RunEvent,
  type RunFinished,
  type RunStarted,
  type RunSubject,
  type SpokenDialect,
} from "./events.ts";
export { foldRun, RunState, reportOf, resultsOf } from "./fold.ts";
export { exitCodeOf, failOnChoices, type Gates, requirableLevels, shutGates } from "./gate.ts";
export {
  bindingName,
  type FindingGroup,
  failuresOf,
  type UnexaminedGroup,
  unexaminedOf,
  warningsOf,
  whereOf,
} from "./group.ts";
export { firstStep, levelText, messagesText, outcomeWord, versionAnswer } from "./headline.ts";
export { repeatLine } from "./repeat.ts";
export {
  type Category,
  type CategoryMember,
  type ConformanceResult,
  categories,
  type InterfaceName,
  interfaceKey,
  type RuleLevel,
  ruleKey,
} from "./result.ts";
export { type Standing, standingOf } from "./standing.ts";
export { type Status, type Unexamined, type VerdictName, verdictNames } from "./verdict.ts";
