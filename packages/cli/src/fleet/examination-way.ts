import type { ExaminerFlags } from "./examiner-flags.ts";

/** The settings of the process that examines one agent; they contain no secret. */
export interface ExaminationWay
  extends Pick<ExaminerFlags, "contact" | "allowHosts" | "allowPrivate" | "trustHosts" | "ca" | "timeout" | "rate"> {
  /** what the run is called in the history */
  readonly run: string;
  /** where relative paths in its login are meant from */
  readonly folder: string;
}
