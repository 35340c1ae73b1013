/** The recordings of runs in `.assay/runs`. */
export { readingReasonOf, reasonOf } from "./file-trouble.ts";
export { findRun, readableRun, readReport, readRun } from "./read-run.ts";
export { openRecord, openWantedRecord, type RunRecord, recordedEvents, recordRun } from "./record-run.ts";
export { keptRuns, RunFolder } from "./run-folder.ts";
