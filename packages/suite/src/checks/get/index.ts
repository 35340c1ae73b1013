import type { Check } from "../../define/check.ts";
import { historyChecks } from "./history.ts";
import { readChecks } from "./reads.ts";

export const getChecks: readonly Check[] = [...readChecks, ...historyChecks];
