export { fillHistory, type RunRecordings } from "./fill.ts";
export {
  addRun,
  forgetReports,
  History,
  type HistoryQuery,
  openHistory,
  type RuleInRun,
} from "./history.ts";
export { historyMigrations } from "./schema.ts";
