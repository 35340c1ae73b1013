import type { Check } from "../../check.ts";
import { answersWithTaskOrMessage } from "./answers.ts";

/** SEND, GET, HIST, CTX, LIFE, INTASK */
export const lifecycleChecks: readonly Check[] = [answersWithTaskOrMessage];
