import type { Check } from "../../../check.ts";
import { bodies, labels } from "./bodies.ts";
import { deletion, getByTask, listed, nested, noOther } from "./configs.ts";

/** PUSH of 0.3 and 0.2, as far as 1.0 has other rules */
export const olderPushChecks: readonly Check[] = [bodies, getByTask, labels, deletion, nested, listed, noOther];
