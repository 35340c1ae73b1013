import type { ClassReason } from "./agent-class.ts";
import type { ClassFinding } from "./card-trouble.ts";
import { reasons } from "./reasons.ts";
import { answerLine } from "./seen-answer.ts";

/** Maximum length of a sentence about an agent. */
const mostDetail = 300;

/** Returns the reason as text, with its evidence. */
export function reasonOf({ code, answer }: ClassFinding, detail?: string): ClassReason {
  const { says, remedy } = reasons[code];
  return {
    code,
    message: detail === undefined ? says : `${says} ${detail.slice(0, mostDetail)}`,
    remedy,
    ...(answer && { evidence: answerLine(answer) }),
  };
}
