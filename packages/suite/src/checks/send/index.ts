import type { Check } from "../../define/check.ts";
import { answersWithTaskOrMessage } from "./answers.ts";
import { waitingChecks } from "./blocking.ts";
import { completenessChecks } from "./complete-answers.ts";
import { wishChecks } from "./configuration.ts";
import { directMessageChecks } from "./direct-messages.ts";
import { incompleteMessages, messageIsRequired } from "./incomplete-messages.ts";
import { insistingChecks } from "./repeated-messages.ts";
import { readsWithoutKind } from "./without-kind-v0.3.ts";

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
