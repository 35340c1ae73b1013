import type { Check } from "../../define/check.ts";
import { answersWithTaskOrMessage, insistingChecks, readsWithoutKind } from "./answers.ts";
import { waitingChecks } from "./blocking.ts";
import { completenessChecks } from "./complete-answers.ts";
import { wishChecks } from "./configuration.ts";
import { directMessageChecks } from "./direct-messages.ts";
import { incompleteMessages, messageIsRequired } from "./incomplete-messages.ts";

/** SendMessage */
export const sendChecks: readonly Check[] = [
  answersWithTaskOrMessage,
  messageIsRequired,
  ...incompleteMessages,
  ...wishChecks,
  ...waitingChecks,
  ...completenessChecks,
  ...directMessageChecks,
  ...insistingChecks,
  readsWithoutKind,
];
