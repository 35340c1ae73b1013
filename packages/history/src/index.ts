export { fillHistory, type RunRecordings } from "./fill.ts";
export { type History, type HistoryQuery, openHistory, type RuleInRun } from "./history.ts";
export { type HistoryRun, historyRun } from "./history-run.ts";
