import type { Check } from "../../define/check.ts";
import { authorisationChecks } from "./authorisations.ts";
import { contextChecks } from "./contexts.ts";
import { conversationChecks } from "./conversations.ts";
import { endedTaskChecks } from "./ended-tasks.ts";
import { expectationChecks } from "./expectations.ts";
import { taskShapeChecks } from "./task-shape.ts";

/** Tasks, contexts, and requests for input or authorization: CTX, LIFE, INTASK */
export const lifecycleChecks: readonly Check[] = [
  ...contextChecks,
  ...conversationChecks,
  ...endedTaskChecks,
  ...taskShapeChecks,
  ...authorisationChecks,
  ...expectationChecks,
];
