import { type Blame, blameCodes } from "../document/blame.ts";
import type { Cell } from "../document/cell.ts";
import type { MatrixExchange } from "../document/evidence.ts";
import { type SeenCell, seenIn } from "./seen.ts";
import {
  answerWrong,
  cameTooLate,
  driverRefused,
  type Known,
  notAnswered,
  nothingSent,
  notShown,
  programEnded,
  requestBreaksRule,
  requestDiffers,
  requestNamesOtherwise,
  requestOutOfRange,
  sentElsewhere,
  surfacedOtherwise,
  type Way,
} from "./ways.ts";

/** In this order: what made a later thing impossible comes before it, and the client before the server that answers it. */
const ways: readonly Way[] = [
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

/** Says whose a red cell is. `evidence` are the exchanges of the cell, in their order. */
export function blameOf(cell: Cell, evidence: readonly MatrixExchange[]): Blame {
  const { failure } = cell;
  if (!failure) throw new Error(`${cell.id} did not fail`);
  const seen = seenIn(cell, failure, evidence);
  return blameFor(firstOf(seen), cell);
}

function firstOf(seen: SeenCell): Known {
  for (const way of ways) {
    const known = way(seen);
    if (known) return known;
  }
  return notShown(seen);
}

export function blameFor(known: Known, { client, server }: Pick<Cell, "client" | "server">): Blame {
  const { code, about, title, explanation, reasons, ambiguity } = known;
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

/** What differs from cell to cell and from run to run has no place in the name of a cause. */
const differing: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "…"],
  [/\b[0-9a-f]{24,}\b/gi, "…"],
  [/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, "…"],
  [/(\/\/[^\s/:]+):\d+/g, "$1:…"],
  [/\bevents\[\d+\]/g, "events[*]"],
];

const withoutIds = (text: string): string =>
  differing.reduce((left, [pattern, instead]) => left.replaceAll(pattern, instead), text).replace(/\.$/, "");
