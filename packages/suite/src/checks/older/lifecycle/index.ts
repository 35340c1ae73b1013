import type { Check } from "../../../check.ts";
import { knowsCoreMethods } from "./core-methods.ts";
import { readsWithoutKind } from "./without-kind.ts";

/** V03-CAP, V03-SEND */
export const olderLifecycleChecks: readonly Check[] = [knowsCoreMethods, readsWithoutKind];
