import type { ClassReason } from "./agent-class.ts";
import type { ClassFinding } from "./card-trouble.ts";
import { reasons } from "./reasons.ts";
import { answerLine } from "./seen-answer.ts";

/** Longer than that no sentence about an agent needs to be. */
const mostDetail = 300;

/** The reason in words, with what shows it. */
export function reasonOf({ code, answer }: ClassFinding, detail?: string): ClassReason {
  const { says, remedy } = reasons[code];
  return {
    code,
    message: detail === undefined ? says : `${says} ${detail.slice(0, mostDetail)}`,
    remedy,
    ...(answer && { evidence: answerLine(answer) }),
  };
}
