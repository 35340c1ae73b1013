import type { Check } from "../../check.ts";

/** DATA, LEG, VER, EXT, BIND */
export const dataChecks: readonly Check[] = [];
