export type { Examination, FleetJob } from "./examination.ts";
export { type ExamineOptions, examine } from "./examine.ts";
export { unexamined } from "./unexamined.ts";
