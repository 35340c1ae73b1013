import type { Command } from "commander";
import { collect } from "./flag-values.ts";

/** The flags of every command that can write reports. */
export interface ReportFlags {
  readonly report?: string[];
}

export const addReportFlags = (command: Command): Command =>
  command.option(
    "--report <format[=file]>",
    "write a report: json, json+evidence, ndjson, markdown, junit, har, html, sarif, badge or schedule (SVG; what the time went on); to the output unless a file is named; github: annotations, and the summary of the job (repeatable)",
    collect,
  );
