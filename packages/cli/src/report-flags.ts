import { formatsInWords } from "@assay/reporters/formats";
import type { Command } from "commander";
import { collect } from "./flag-values.ts";

/** The flags of every command that can write reports. */
export interface ReportFlags {
  readonly report?: string[];
}

export const addReportFlags = (command: Command): Command =>
  command.option(
    "--report <format[=file]>",
    `write a report: ${formatsInWords()}; to the output unless a file is named (repeatable)`,
    collect,
  );
