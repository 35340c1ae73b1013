export type { MatrixCause } from "../causes/matrix-cause.ts";
export { causesOf, type SharedCause } from "../causes/shared-causes.ts";
export type { Blame, Blamed, BlameReason, BrokenRule } from "../document/blame.ts";
export type { Cell, CellStep } from "../document/cell.ts";
export { type MatrixDocument, type MatrixDriver, type MatrixScenario, matrixFormat } from "../document/document.ts";
export type { MatrixExchange } from "../document/evidence.ts";
export {
  type CellChange,
  type ChangedCell,
  type ChangedPackage,
  compareMatrices,
  listedChanges,
  type MatrixComparison,
} from "./compare.ts";
export { type UpstreamIssue, upstreamIssues } from "./issue.ts";
export { blamedWords, blameText, changeWords, outcomeWords, scoreText } from "./labels.ts";
export { type MatrixLine, matrixLine } from "./line.ts";
export { participantsOf, type ReleasedScore, releasedScore, versionText } from "./participants.ts";
export { type ScenarioTable, scenarioTables } from "./scenario-table.ts";
export {
  type Grade,
  gradeOf,
  gradeSigns,
  isRed,
  type PairScore,
  type PairTable,
  pairTable,
  type Score,
  scoreOf,
  triedIn,
} from "./scores.ts";
export { type SdkSummary, sdkSummaries } from "./sdk-summary.ts";
export { type MatrixWire, wireKey, wiresOf, wireTitle } from "./wires.ts";
