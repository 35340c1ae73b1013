import type { Check } from "../../../check.ts";
import { finalChecks } from "./final.ts";
import { resubscribeChecks } from "./resubscribing.ts";

/** V03-STREAM, V03-SUB */
export const olderStreamChecks: readonly Check[] = [...finalChecks, ...resubscribeChecks];
