import type { RunLine } from "../../api/runs/documents.ts";
import { get } from "../../app/api.ts";
import { isExported } from "../../app/site.ts";

/** The runs that are kept, or those that were exported; the newest first. */
export const loadRuns = (): Promise<readonly RunLine[]> =>
  isExported
    ? fetch("./data/runs.json").then((answer) => answer.json() as Promise<readonly RunLine[]>)
    : get<readonly RunLine[]>("/api/runs");
