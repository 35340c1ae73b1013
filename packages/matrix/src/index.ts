export { MatrixAssembly, type MatrixFacts } from "./assembling/assemble.ts";
export { trimmed } from "./assembling/trim.ts";
export { blameOf } from "./blame/blame.ts";
export { blameOfCause } from "./causes/blame-of-cause.ts";
export { type CauseKind, causeKinds, type MatrixCause } from "./causes/matrix-cause.ts";
export {
  type Blame,
  type BlameCode,
  type Blamed,
  type BlameReason,
  type BrokenRule,
  blameCodes,
  blamed,
} from "./document/blame.ts";
export {
  type Cell,
  type CellFailure,
  type CellOutcome,
  type CellStep,
  cellOutcomes,
  type DriverAnswer,
  type DriverError,
} from "./document/cell.ts";
export type { Chain, ChainEdge } from "./document/chain.ts";
export {
  type BindingName,
  bindingNames,
  type DriverRole,
  driverRoles,
  type MatrixDocument,
  type MatrixDriver,
  type MatrixScenario,
  type MatrixVersion,
  matrixFormat,
  matrixVersions,
  type SpokenBindings,
} from "./document/document.ts";
export type { ExchangeBreach, MatrixExchange } from "./document/evidence.ts";
export type { KnownFailure, KnownFailureRow, StaleKnownFailure } from "./document/known-failure.ts";
export { readMatrix } from "./document/read-document.ts";
export { readable } from "./document/readable.ts";
export type { Seal, SealedPackage } from "./document/seal.ts";
export { digestOf } from "./document/seal.ts";
export { checkDriver, type DriverFinding } from "./driver/check-driver.ts";
export { DriverDied } from "./driver/client-driver.ts";
export { type DriverDescription, readDriver } from "./driver/description.ts";
export { missingPart } from "./driver/installed.ts";
export { commandIn } from "./driver/program.ts";
export { setUpDriver } from "./driver/set-up.ts";
export { openStandIn } from "./driver/stand-in.ts";
export { isRedUnknown, knownFailureOf, staleRows } from "./known/mark.ts";
export { readKnownFailures } from "./known/read.ts";
export type { Pairing } from "./running/pairing.ts";
export type { MatrixRecord } from "./running/record.ts";
export { resumable } from "./running/resume.ts";
export { type MatrixOptions, type MatrixProgress, planOf, runMatrix } from "./running/run-matrix.ts";
export { matrixPage } from "./site.ts";
export { matrixMarkdown } from "./view/markdown.ts";
export { matrixReadme } from "./view/readme.ts";
