export type { AbstractOperation, ActsFile, Level, Test, Transport } from "./acts/model.ts";
export { type QuirkRule, quirkRules } from "./acts/quirks/rules.ts";
export { ActsMistakes, placeText } from "./acts/reading/page.ts";
export { readBehaviours } from "./acts/reading/read-behaviours.ts";
export { readCorpus } from "./acts/reading/read-corpus.ts";
export { actsFileName, actsJson, type SdkInfo } from "./acts/reporting/acts-json.ts";
export { actsJunit } from "./acts/reporting/junit.ts";
export { actsMarkdown } from "./acts/reporting/markdown.ts";
export type { FailureDetail, RunName, TestOutcome } from "./acts/reporting/outcome.ts";
export { factsOf } from "./acts/reporting/outcome.ts";
export { type ActsReport, outcomesOf, reportOf, transportsIn } from "./acts/reporting/report.ts";
export { bindingOf } from "./acts/running/gating.ts";
export { runCorpus } from "./acts/running/run.ts";
export { Table } from "./acts/running/table.ts";
export {
  type ClientAnswer,
  type ClientAsked,
  type Given,
  type ScenarioClient,
  type SurfacedError,
  type SurfacedErrorKind,
  surfacedErrorKinds,
  type WireAnswer,
} from "./acts/through-client/client.ts";
export { notForClients } from "./acts/through-client/due.ts";
export {
  type ClientFailure,
  type ClientFailureCode,
  type ClientStepOutcome,
  type ClientTestOutcome,
  clientFailureCodes,
} from "./acts/through-client/outcome.ts";
export { runThroughClient, type ThroughClientPlace } from "./acts/through-client/run-through-client.ts";
