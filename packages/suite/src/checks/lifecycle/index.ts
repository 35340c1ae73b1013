import type { Check } from "../../check.ts";
import { answersWithTaskOrMessage } from "./answers.ts";
import { authorisationChecks } from "./authorisations.ts";
import { completenessChecks } from "./complete-answers.ts";
import { contextChecks } from "./contexts.ts";
import { conversationChecks } from "./conversations.ts";
import { directMessageChecks } from "./direct-messages.ts";
import { endedTaskChecks } from "./ended-tasks.ts";
import { expectationChecks } from "./expectations.ts";
import { historyChecks } from "./history.ts";
import { incompleteMessages, messageIsRequired } from "./incomplete-messages.ts";
import { insistingChecks } from "./insisting.ts";
import { readChecks } from "./reads.ts";
import { taskShapeChecks } from "./task-shape.ts";
import { waitingChecks } from "./waiting.ts";
import { wishChecks } from "./wishes.ts";

/** SEND, GET, HIST, CTX, LIFE, INTASK */
export const lifecycleChecks: readonly Check[] = [
  answersWithTaskOrMessage,
  messageIsRequired,
  ...incompleteMessages,
  ...wishChecks,
  ...waitingChecks,
  ...completenessChecks,
  ...directMessageChecks,
  ...readChecks,
  ...historyChecks,
  ...contextChecks,
  ...conversationChecks,
  ...endedTaskChecks,
  ...taskShapeChecks,
  ...authorisationChecks,
  ...insistingChecks,
  ...expectationChecks,
];
