import { basename } from "node:path";
import { openRecord, recordedEvents } from "@assay/library/runs";
import { type ConformanceReport, Progress, type RunEvent, reportOf } from "@assay/suite/report";
import { ArgumentError } from "./argument-error.ts";
import type { McpOperator } from "./operator.ts";
import type { ToolCall } from "./tool.ts";

/** A finished run, and the number of messages that it sent. */
export interface RecordedRun {
  readonly report: ConformanceReport;
  readonly messages: number;
}

/** Records a run like `assay test` and reports its progress. */
export async function recordRunOf(
  eventsOf: (run: string) => AsyncIterable<RunEvent>,
  { folder }: Pick<McpOperator, "folder">,
  call: ToolCall,
): Promise<RecordedRun> {
  const record = openRecord(folder, (because) => {
    throw new ArgumentError(`Cannot record the run: ${because}.`, "Start assay mcp with --runs <writable folder>.");
  });
  const progress = new Progress();
  let told = 0;
  const events = eventsOf(basename(record.file, ".ndjson"));
  for await (const event of recordedEvents(events, record, folder)) {
    progress.take(event);
    const { results, workingMessages } = progress.run;
    // The plan may grow, and the number that clients see must not fall.
    const percent = Math.floor(progress.done * 100);
    if (percent <= told) continue;
    told = percent;
    call.progress(percent / 100, `${results.length} results, ${workingMessages} messages sent`);
  }
  return { report: reportOf(progress.run), messages: progress.run.workingMessages };
}
