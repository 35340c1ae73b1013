import type { ExaminerFlags } from "./examiner-flags.ts";

/** Settings of all examinations of a fleet. They contain no secret. */
export interface ExaminationWay
  extends Pick<ExaminerFlags, "contact" | "allowHosts" | "allowPrivate" | "trustHosts" | "ca" | "timeout" | "rate"> {
  /** the folder for relative paths in a login */
  readonly folder: string;
}
