import type { ListDocument, ListMistake, ListRow } from "./row.ts";

/** Columns that belong to the credentials. */
const loginColumns = new Set(["bearer", "basic", "apiKey", "oauthClient", "tokenUrl", "oauthScope"]);
const numbers = new Set(["timeout", "deadline"]);

/** Reads a list as CSV (RFC 4180). The first line names the columns; `labels` may contain several words. */
export function readCsv(text: string, file: string): ListDocument {
  const rows: ListRow[] = [];
  const mistakes: ListMistake[] = [];
  const [head, ...records] = recordsOf(text.replace(/^\ufeff/, ""));
  const columns = head?.cells.map((cell) => cell.trim()) ?? [];
  if (!columns.includes("url"))
    return {
      rows,
      mistakes: [{ place: `${file}:1`, message: "the first line names the columns, and url is one of them" }],
    };
  for (const { cells, line, isOpen } of records) {
    const place = `${file}:${line}`;
    if (cells.every((cell) => cell.trim() === "")) continue;
    if (isOpen) mistakes.push({ place, message: "a quotation mark is opened here and never closed" });
    else if (cells.length > columns.length)
      mistakes.push({ place, message: `${cells.length} values for ${columns.length} columns` });
    else rows.push({ place, value: rowOf(columns, cells) });
  }
  return { rows, mistakes };
}

function rowOf(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  const login: Record<string, string> = {};
  for (const [index, column] of columns.entries()) {
    const cell = (cells[index] ?? "").trim();
    if (cell === "") continue;
    if (loginColumns.has(column)) login[column] = cell;
    else if (column === "labels") row[column] = cell.split(/[;\s]+/).filter(Boolean);
    else if (numbers.has(column)) row[column] = Number(cell);
    else row[column] = cell === "true" ? true : cell === "false" ? false : cell;
  }
  return Object.keys(login).length ? { ...row, login } : row;
}

interface CsvRecord {
  readonly cells: string[];
  readonly line: number;
  isOpen: boolean;
}

function recordsOf(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let record: CsvRecord = { cells: [], line: 1, isOpen: false };
  let cell = "";
  let line = 1;
  const endRecord = (): void => {
    record.cells.push(cell);
    records.push(record);
    cell = "";
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === "\n") line++;
    if (record.isOpen) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else record.isOpen = false;
    } else if (sign === '"' && cell === "") record.isOpen = true;
    else if (sign === ",") {
      record.cells.push(cell);
      cell = "";
    } else if (sign === "\n") {
      endRecord();
      record = { cells: [], line, isOpen: false };
    } else if (sign !== "\r") cell += sign;
  }
  if (cell !== "" || record.cells.length || record.isOpen) endRecord();
  return records;
}
