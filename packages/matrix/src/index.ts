export { blameOf } from "./blame/blame.ts";
export {
  type Blame,
  type BlameCode,
  type Blamed,
  type BlameReason,
  type BrokenRule,
  blameCodes,
  blamed,
} from "./document/blame.ts";
export { type CauseKind, causeKinds, type MatrixCause } from "./document/cause.ts";
export {
  type Cell,
  type CellFailure,
  type CellFailureCode,
  type CellOutcome,
  type CellStep,
  cellFailureCodes,
  cellOutcomes,
  type DriverAnswer,
  type DriverError,
  type DriverErrorKind,
  driverErrorKinds,
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
export type { Seal, SealedPackage } from "./document/seal.ts";
export { knownFailureOf, staleRows } from "./known/mark.ts";
export { KnownFailureMistakes, readKnownFailures } from "./known/read.ts";
export { matrixMarkdown } from "./markdown/markdown.ts";
