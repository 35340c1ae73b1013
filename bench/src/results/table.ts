import type { Cell } from "./rows.ts";

/**
 * Formats cells as a Markdown table. A unit that all cells share is in the corner, a unit of one column in its head.
 */
export function tableOf(cells: readonly Cell[]): string {
  const columns = [...new Set(cells.map(({ column }) => column))];
  const names = [...new Set(cells.map(({ name }) => name))];
  const unit = sharedUnit(cells);
  const texts = columns.map((column) => {
    const own = cells.filter((cell) => cell.column === column);
    const ofColumn = sharedUnit(own);
    const isKnown = unit !== undefined || ofColumn !== undefined;
    return {
      head: joined(column, ", ", unit === undefined ? (ofColumn ?? "") : ""),
      cells: new Map(own.map((cell) => [cell.name, joined(show(cell.value), " ", isKnown ? "" : unitOf(cell))])),
    };
  });
  const lines = [
    [unit ?? "", ...texts.map(({ head }) => head)],
    ["---", ...texts.map(() => "--:")],
    ...names.map((name) => [name, ...texts.map((column) => column.cells.get(name) ?? "")]),
  ];
  return lines.map((line) => `| ${line.join(" | ")} |\n`).join("");
}

function sharedUnit(cells: readonly Cell[]): string | undefined {
  const units = new Set(cells.map(unitOf));
  return units.size === 1 ? [...units][0] : undefined;
}

/** Returns the unit to show. Ratios have none, because the name of the column says it. */
const unitOf = ({ unit }: Cell): string => (unit === "ratio" ? "" : unit);

const joined = (text: string, between: string, unit: string): string =>
  unit === "" ? text : `${text}${between}${unit}`;

/** Formats a value with three digits; whole numbers stay complete. */
export function show(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return Math.abs(value) < 1 ? value.toFixed(value >= 0.1 ? 2 : 3) : value.toPrecision(3);
}
