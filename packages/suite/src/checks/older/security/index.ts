import type { Check } from "../../../check.ts";
import { olderDemandsRequired } from "./required-extension.ts";

/** V03-EXT: what agents before 1.0 owe to those they do not know, and 1.0 puts otherwise */
export const olderSecurityChecks: readonly Check[] = [olderDemandsRequired];
