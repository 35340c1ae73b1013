import { escapeText } from "@assay/suite/text";
import type { PlanBlock, PlanPage, SideRow } from "@assay/viewer/documents";

/** Colours of the terminal, or none. */
export interface PlanColors {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
}

/** Narrower terminals show both versions below each other. */
const narrow = 100;

/** Renders a page as lines for a terminal of this width. */
export function planLines({ title, answer, blocks }: PlanPage, columns: number, colors: PlanColors): string[] {
  const shown = blocks.filter((block) => !(block.is === "sides" && block.isDetail));
  const more = blocks.length - shown.length;
  return [
    colors.bold(escapeText(title)),
    escapeText(answer),
    "",
    ...shown.flatMap((block) => linesOf(block, columns, colors)),
    ...(more ? [`${more} more examples: --report html=plan.html or --report markdown=plan.md`] : []),
  ];
}

function linesOf(block: PlanBlock, columns: number, colors: PlanColors): string[] {
  switch (block.is) {
    case "heading":
      return block.level === 2 ? ["", colors.bold(escapeText(block.text)), ""] : [colors.bold(escapeText(block.text))];
    case "text":
      return [...wrapped(block.text, columns), ""];
    case "list":
      return [...block.items.flatMap((item) => hanging("- ", wrapped(item, columns - 2))), ""];
    case "table":
      return [...tableLines(block.head, block.rows, columns, colors), ""];
    case "code":
      return [...block.text.split("\n").map((line) => `    ${escapeText(line)}`), ""];
    case "sides":
      return [
        colors.dim(escapeText(block.title)),
        ...(columns < narrow
          ? block.rows.flatMap((row) => below(row, colors))
          : [
              colors.dim(`  ${block.today.padEnd(half(columns))}   ${block.next}`),
              ...block.rows.map((row) => beside(row, columns, colors)),
            ]),
        "",
      ];
  }
}

const half = (columns: number): number => Math.floor((Math.min(columns, 200) - 7) / 2);

/** "- today" and "+ next" below each other. */
const below = ({ today, next, isSame }: SideRow, { red, green }: PlanColors): string[] =>
  isSame
    ? [`  ${escapeText(next ?? "")}`]
    : [
        ...(today === undefined ? [] : [red(`- ${escapeText(today)}`)]),
        ...(next === undefined ? [] : [green(`+ ${escapeText(next)}`)]),
      ];

/** Both next to each other; a mark shows a difference without colours, too. */
function beside({ today, next, isSame }: SideRow, columns: number, { red, green }: PlanColors): string {
  const width = half(columns);
  const [before, after] = [escapeText(today ?? ""), escapeText(next ?? "")];
  const isHidden = !isSame && cut(before.trim(), width - 16) === cut(after.trim(), width - 16);
  const shorten = isHidden ? cutInside : cut;
  const left = shorten(before, width).padEnd(width);
  const right = shorten(after, width);
  if (isSame) return `  ${left}   ${right}`.trimEnd();
  return `${today === undefined ? " " : "-"} ${red(left)} ${next === undefined ? "" : `+ ${green(right)}`}`.trimEnd();
}

const cut = (line: string, width: number): string => (line.length <= width ? line : `${line.slice(0, width - 1)}…`);

/** Keeps both ends, for lines that differ only at the end. */
const cutInside = (line: string, width: number): string =>
  line.length <= width ? line : `${line.slice(0, width - 16)}…${line.slice(-15)}`;

/** The last column gets the room that the others leave, and its texts are wrapped. */
function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
  colors: PlanColors,
): string[] {
  const all = [head, ...rows].map((row) => row.map(escapeText));
  const widths = fitted(
    head.map((_, n) => Math.max(...all.map((row) => row[n]?.length ?? 0))),
    columns - 2 * (head.length - 1),
  );
  return all.flatMap((row, index) => {
    const cells = row.map((text, n) => wrapped(broken(text, widths[n]!), widths[n]!));
    const height = Math.max(...cells.map(({ length }) => length));
    const lines = Array.from({ length: height }, (_, line) =>
      cells
        .map((each, n) => (each[line] ?? "").padEnd(widths[n]!))
        .join("  ")
        .trimEnd(),
    );
    return index === 0 ? lines.map((line) => colors.dim(line)) : lines;
  });
}

/** Breaks words that are wider than their column. */
const broken = (text: string, width: number): string =>
  text
    .split(" ")
    .flatMap((word) => word.match(new RegExp(`.{1,${width}}`, "gu")) ?? [word])
    .join(" ");

/** Shortens the widest columns until all fit. */
function fitted(widths: readonly number[], room: number): number[] {
  const fit = [...widths];
  const least = 12;
  while (fit.reduce((sum, width) => sum + width, 0) > room) {
    const widest = Math.max(...fit);
    if (widest <= least) break;
    fit[fit.indexOf(widest)] = widest - 1;
  }
  return fit;
}

/** Wraps words; a word longer than the width stays whole. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of escapeText(text).split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const hanging = (mark: string, lines: readonly string[]): string[] =>
  lines.map((line, index) => `${index === 0 ? mark : " ".repeat(mark.length)}${line}`);
