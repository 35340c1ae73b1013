import type { Check } from "../../../check.ts";
import { errorForm, label } from "./envelope.ts";
import { camelCase, senseless } from "./queries.ts";
import { spelling } from "./spelling.ts";

/** REST of 0.3, as far as 1.0 has other rules */
export const olderRestChecks: readonly Check[] = [spelling, label, errorForm, senseless, camelCase];
