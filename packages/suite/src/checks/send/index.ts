import type { Check } from "../../define/check.ts";
import { answersWithTaskOrMessage, insistingChecks, readsWithoutKind } from "./answers.ts";
import { waitingChecks } from "./blocking.ts";
import { completenessChecks } from "./complete-answers.ts";
import { wishChecks } from "./configuration.ts";
import { directMessageChecks } from "./direct-messages.ts";
import { incompleteMessageChecks } from "./incomplete-messages.ts";

export const sendChecks: readonly Check[] = [
  answersWithTaskOrMessage,
  ...incompleteMessageChecks,
  ...wishChecks,
  ...waitingChecks,
  ...completenessChecks,
  ...directMessageChecks,
  ...insistingChecks,
  readsWithoutKind,
];
