import type { Check } from "../../check.ts";

/** PUSH, AUTH, SEC, TEN */
export const pushAndSecurityChecks: readonly Check[] = [];
