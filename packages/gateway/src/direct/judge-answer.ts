import { type ExaminedProperty, notExamined } from "../verdict.ts";
import { bodyJudgement } from "./judge-card.ts";
import { type ComparedMessages, judgeSent, shown } from "./judge-messages.ts";
import type { MessageOutcome } from "./messages.ts";
import { type Compared, passageOf } from "./samples.ts";

/**
 * Judges the values of responses. Two messages never get the same text, so a finished task is compared that both paths
 * read. The messages themselves show only whether responses arrive.
 */
export function judgeAnswer(
  sent: ComparedMessages<MessageOutcome> | undefined,
  stored: Compared | undefined,
): ExaminedProperty {
  const judged = sent && judgeSent(sent);
  if (sent && judged?.is === "broken") return { judgement: judged, passages: shown(sent) };
  if (!stored) return { judgement: notExamined("no finished task could be read on both paths"), passages: [] };
  const passages = [passageOf(stored)];
  if (stored.obstacle !== undefined) return { judgement: notExamined(stored.obstacle), passages };
  const differences = stored.differences.filter(({ name }) => name.startsWith("body"));
  return { judgement: bodyJudgement("a task", differences), passages };
}
