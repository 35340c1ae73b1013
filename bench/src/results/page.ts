import type { BenchResult, BenchRow, ResultFile } from "./rows.ts";
import { show, tableOf } from "./table.ts";

/** The numbers in the README: their text, and the row of each. */
const summary: readonly (Pick<BenchRow, "table" | "name" | "column"> & {
  readonly words: string;
  readonly subject: string;
})[] = [
  {
    words: "a quick test of a server on the JavaScript SDK",
    ...{ subject: "suite", table: "Runs", name: "JavaScript SDK, quick", column: "wall time" },
  },
  {
    words: "a full test of the same server",
    ...{ subject: "suite", table: "Runs", name: "JavaScript SDK, full", column: "wall time" },
  },
  {
    words: "`assay serve`: echo over JSON-RPC",
    ...{ subject: "server", table: "Requests", name: "echo, JSON-RPC", column: "Assay" },
  },
  {
    words: "the same with the JavaScript SDK",
    ...{ subject: "server", table: "Requests", name: "echo, JSON-RPC", column: "JavaScript SDK 1.3.0" },
  },
];

const block = /(<!-- bench ([a-z-]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** Writes the tables of each subject between its markers, `<!-- bench server -->` and `<!-- end -->`. */
export const withTables = (page: string, { results }: ResultFile): string =>
  page.replaceAll(block, (_, begin: string, subject: string, end: string) => {
    const text =
      subject === "summary" ? summaryOf(results) : tablesOf(results.find((each) => each.subject === subject));
    return `${begin}\n${text}\n${end}`;
  });

function tablesOf(result: BenchResult | undefined): string {
  if (result === undefined) return "Not measured yet.\n";
  const titles = [...new Set(result.rows.map(({ table }) => table))];
  const tables = titles.map((title) => {
    const rows = result.rows.filter(({ table }) => table === title);
    return `**${title}**\n\n${tableOf(rows)}`;
  });
  return [`${sourceOf(result)}\n`, ...tables].join("\n");
}

const sourceOf = ({ command, commit, date, node, machine: { cores, model } }: BenchResult): string =>
  `\`${command}\` at commit \`${commit}\`, ${date.slice(0, 10)}, Node ${node}, ${cores} × ${model}.`;

/** Skips subjects without results, and throws if a subject lacks its row. */
function summaryOf(results: readonly BenchResult[]): string {
  const lines = summary.flatMap(({ words, subject, table, name, column }) => {
    const result = results.find((each) => each.subject === subject);
    if (result === undefined) return [];
    const row = result.rows.find((each) => each.table === table && each.name === name && each.column === column);
    if (row === undefined)
      throw new Error(`README shows a row that was not measured: ${[subject, table, name, column].join(" · ")}`);
    return [`| ${words} | ${show(row.value)} ${row.unit} |\n`];
  });
  return `| | |\n|---|--:|\n${lines.join("")}`;
}
