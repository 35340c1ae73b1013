import { type Blame, blameCodes } from "../document/blame.ts";
import type { UnsealedCell } from "../document/cell.ts";
import type { MatrixExchange } from "../document/evidence.ts";
import { answerWrong, cameTooLate, notAnswered } from "./answer-rules.ts";
import type { BlameFinding, BlameRule } from "./finding.ts";
import { driverRefused, notShown, programEnded } from "./program-rules.ts";
import {
  nothingSent,
  requestBreaksRule,
  requestDiffers,
  requestNamesOtherwise,
  requestOutOfRange,
  sentElsewhere,
} from "./request-rules.ts";
import { type SeenCell, seenIn } from "./seen.ts";
import { surfacedOtherwise } from "./surfaced-rules.ts";

/**
 * The rules in order: a cause comes before its consequences, and the client before the server that answers
 * it.
 */
const rules: readonly BlameRule[] = [
  programEnded,
  driverRefused,
  nothingSent,
  sentElsewhere,
  requestBreaksRule,
  requestDiffers,
  requestOutOfRange,
  requestNamesOtherwise,
  notAnswered,
  cameTooLate,
  surfacedOtherwise,
  answerWrong,
];

/** Decides which side is at fault in a red cell. `evidence` are its exchanges, in order. */
export function blameOf(cell: UnsealedCell, evidence: readonly MatrixExchange[]): Blame {
  const { failure } = cell;
  if (!failure) throw new Error(`${cell.id} did not fail`);
  const seen = seenIn(cell, failure, evidence);
  return blameFor(firstOf(seen), cell);
}

function firstOf(seen: SeenCell): BlameFinding {
  for (const rule of rules) {
    const finding = rule(seen);
    if (finding) return finding;
  }
  return notShown(seen);
}

export function blameFor(finding: BlameFinding, { client, server }: Pick<UnsealedCell, "client" | "server">): Blame {
  const { code, about, title, explanation, reasons, ambiguity } = finding;
  const whose = blameCodes[code];
  const whom = {
    client,
    server,
    both: `${client}/${server}`,
    specification: undefined,
    unclear: client || server,
  }[whose];
  return {
    whose,
    code,
    cause: [whose, whom, about].filter((each) => each !== undefined).join("/"),
    title: withoutIds(title),
    explanation,
    reasons,
    ...(ambiguity !== undefined && { ambiguity }),
  };
}

/** Removes parts from the name of a cause that differ between cells and runs. */
const differing: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "…"],
  [/\b[0-9a-f]{24,}\b/gi, "…"],
  [/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, "…"],
  [/(\/\/[^\s/:]+):\d+/g, "$1:…"],
  [/\bevents\[\d+\]/g, "events[*]"],
];

const withoutIds = (text: string): string =>
  differing.reduce((left, [pattern, instead]) => left.replaceAll(pattern, instead), text).replace(/\.$/, "");
