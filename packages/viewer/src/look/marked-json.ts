import { cut } from "@assay/suite/text";
import { type JsonLine, jsonLines } from "./json-lines.ts";

/** Lines that are shown of one text, around the place that matters. */
const room = { head: 14, around: 16, tail: 6 };
/** Characters of one line. */
const longest = 500;

/** A line of JSON as it is shown, or the number of lines that are left out here. */
export type ShownLine =
  | {
      readonly depth: number;
      readonly text: string;
      /** it belongs to the place that a finding is about */
      readonly isMarked: boolean;
      /** said at the first line of that place: what is missing there, or nothing but that it is here */
      readonly note?: string;
    }
  | { readonly depth: number; readonly leftOut: number };

/**
 * Marks the place in JSON that a finding is about. Without `all`, lines far from it are left out and counted. If the member at
 * that place is missing, the object that should contain it is marked. Returns undefined if the text is not JSON.
 */
export function markedJson(
  text: string,
  path: string | undefined,
  { all = false }: { readonly all?: boolean } = {},
): ShownLine[] | undefined {
  const lines = jsonLines(text);
  if (!lines) return undefined;
  const mark = path === undefined ? undefined : placeOf(lines, path);
  const shown = new Set([...lines.keys()].filter((index) => all || isShown(index, lines.length, mark?.from)));
  return lines.flatMap((line, index) => {
    if (shown.has(index)) return [written(line, index, mark)];
    const isFirstOfGap = index === 0 || shown.has(index - 1);
    return isFirstOfGap ? [{ depth: line.depth, leftOut: gapAt(lines.length, shown, index) }] : [];
  });
}

interface MarkedPlace {
  readonly from: number;
  readonly to: number;
  /** the missing member */
  readonly missing?: string;
}

/** The lines of the value at a path, or of the nearest value around the place where it should be. */
function placeOf(lines: readonly JsonLine[], path: string): MarkedPlace | undefined {
  const from = lines.findIndex((line) => line.path === path);
  if (from >= 0) return { from, to: endOf(lines, from) };
  const around = path.replace(/(?:\.[A-Za-z_]\w*|\[(?:\d+|"(?:[^"\\]|\\.)*")\])$/, "");
  if (around === path || around === "") return undefined;
  const outer = placeOf(lines, around);
  const missing = path.slice(around.length).replace(/^\./, "");
  return outer && { from: outer.from, to: outer.from, missing: outer.missing ?? missing };
}

/** Long values are marked at their first line alone: a page that is red all over marks nothing. */
function endOf(lines: readonly JsonLine[], from: number): number {
  const { depth } = lines[from]!;
  const next = lines.findIndex((line, index) => index > from && line.depth <= depth);
  if (next < 0) return from;
  const end = lines[next]!.depth === depth && lines[next]!.path === undefined ? next : next - 1;
  return end - from <= 4 ? end : from;
}

const isShown = (index: number, count: number, mark: number | undefined): boolean =>
  index < room.head ||
  index >= count - room.tail ||
  (mark !== undefined && Math.abs(index - mark) <= room.around) ||
  // Without a place that matters, the beginning does.
  (mark === undefined && index < room.head + 2 * room.around);

function written({ depth, text }: JsonLine, index: number, mark: MarkedPlace | undefined): ShownLine {
  const isMarked = mark !== undefined && index >= mark.from && index <= mark.to;
  const note = mark?.missing === undefined ? "◀" : `◀ ${mark.missing} is missing`;
  return { depth, text: cut(text, longest), isMarked, ...(isMarked && index === mark.from && { note }) };
}

function gapAt(count: number, shown: ReadonlySet<number>, from: number): number {
  let end = from;
  while (end < count && !shown.has(end)) end++;
  return end - from;
}
