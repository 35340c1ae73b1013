import type { Check } from "../../check.ts";
import { opensWithTask } from "./opens-with-task.ts";

/** STREAM, SUB, CANCEL, LIST */
export const streamChecks: readonly Check[] = [opensWithTask];
