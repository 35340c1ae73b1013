import { jsonText } from "./escape.ts";
import type { Run } from "./run.ts";

/** The report itself; `packages/suite/schemas/report.json` describes it. */
export const json = ({ report }: Run): string => `${jsonText(report, 2)}\n`;
