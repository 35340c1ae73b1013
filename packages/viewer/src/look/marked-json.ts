import { cut } from "@assay/suite/text";
import { type JsonLine, jsonLines } from "./json-lines.ts";

/** The maximum number of lines to show around the marked place. */
const room = { head: 14, around: 16, tail: 6 };
/** The maximum number of characters of one line. */
const longest = 500;

/** A line of JSON to show, or the number of lines left out here. */
export type ShownLine =
  | {
      readonly depth: number;
      readonly text: string;
      /** true if the line belongs to the place of a finding */
      readonly isMarked: boolean;
      /** a note at the first line of that place: the missing member, or only a marker */
      readonly note?: string;
    }
  | { readonly depth: number; readonly leftOut: number };

/**
 * Marks the place in JSON that a finding is about. Without `all`, lines far from it are left out and counted. If the
 * member at that place is missing, the object that should contain it is marked. Returns undefined if the text is not
 * JSON.
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

/** Returns the lines of the value at a path. If it is missing, returns those of the closest parent. */
function placeOf(lines: readonly JsonLine[], path: string): MarkedPlace | undefined {
  const from = lines.findIndex((line) => line.path === path);
  if (from >= 0) return { from, to: endOf(lines, from) };
  const around = path.replace(/(?:\.[A-Za-z_]\w*|\[(?:\d+|"(?:[^"\\]|\\.)*")\])$/, "");
  if (around === path || around === "") return undefined;
  const outer = placeOf(lines, around);
  const missing = path.slice(around.length).replace(/^\./, "");
  return outer && { from: outer.from, to: outer.from, missing: outer.missing ?? missing };
}

/**
 * Returns the last line to mark. A long value is marked only at its first line, because a page full of marks highlights
 * nothing.
 */
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
  // Without a marked place, the start of the text is shown.
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
