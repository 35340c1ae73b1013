import type { Check } from "../../../define/check.ts";
import { eachInItsVersion } from "./each-in-its-version.ts";
import { meansThisVersion } from "./means-this-version.ts";
import { oneAgentOnBothCards } from "./one-agent-on-both-cards.ts";
import { sameInBoth, tasksInBoth } from "./tasks-in-both.ts";

/** V03-VER: several versions at one agent */
export const hybridChecks: readonly Check[] = [
  eachInItsVersion,
  meansThisVersion,
  tasksInBoth,
  sameInBoth,
  oneAgentOnBothCards,
];
