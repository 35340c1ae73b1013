import { readFileSync, writeFileSync } from "node:fs";
import { type ConformanceReport, resultsOf } from "@assay/suite/report";
import { type GatewayName, realGateways } from "./real-gateways.fixture.ts";

const page = "docs/gateways.md";
const [begin, end] = ["<!-- measured: begin -->\n", "<!-- measured: end -->\n"];

/** The reports on one gateway: with its default configuration, and with the settings of the fixture. */
export interface Measured {
  readonly byDefault: ConformanceReport;
  readonly withSettings: ConformanceReport;
}

/** The marks of one gateway, by property. */
type Column = Readonly<Record<string, string>>;

export function columnOf({ byDefault, withSettings }: Measured): Column {
  const properties = [...new Set(resultsOf(byDefault).map(({ test }) => test))].toSorted();
  return Object.fromEntries(
    properties.map((property) => {
      const [before, after] = [markOf(byDefault, property), markOf(withSettings, property)];
      return [property, before === after ? before : `${before} → ${after}`];
    }),
  );
}

/** Returns the mark of a property on all bindings that the gateway passes on. */
export function markOf(report: ConformanceReport, property: string): string {
  const results = resultsOf(report).filter(({ test, verdict }) => test === property && verdict !== "not-examined");
  if (results.length === 0) return "–";
  if (results.some(({ verdict }) => verdict === "fail")) return "✗";
  return results.some(({ info }) => info !== undefined) ? "~" : "✓";
}

const rowOf = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;

/** Writes gateway × property, and the settings of each gateway, into the page. */
export function writeTable(columns: ReadonlyMap<GatewayName, Column>): void {
  const names = Object.keys(realGateways) as GatewayName[];
  const cell = (name: GatewayName, property: string): string => columns.get(name)![property]!;
  const table = [
    rowOf(["Property", ...names]),
    rowOf(["---", ...names.map(() => "---")]),
    ...Object.keys(columns.get("nginx")!).map((property) =>
      rowOf([`\`${property}\``, ...names.map((name) => cell(name, property))]),
    ),
    "\n",
    rowOf(["Gateway", "Added settings"]),
    rowOf(["---", "---"]),
    ...names.map((name) => rowOf([name, settingsText(name)])),
  ].join("");
  const [before, , after] = partsOfPage();
  writeFileSync(page, `${before}${table}${after}`);
}

export const settingsText = (name: GatewayName): string =>
  realGateways[name].settings.map((line) => `\`${line}\``).join(" ") || "none";

/** Returns the committed rows, each as its cells. */
export const committedRows = (): string[][] =>
  partsOfPage()[1]
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** Returns the marks of a gateway in the committed table. */
export function committedColumn(name: GatewayName): Column {
  const [head = [], ...rows] = committedRows();
  const index = head.indexOf(name);
  return Object.fromEntries(
    rows.filter(([first]) => first?.startsWith("`GW-")).map((cells) => [cells[0]!.replaceAll("`", ""), cells[index]!]),
  );
}

/** Returns the page in three parts: before the table, the table, and after it. */
function partsOfPage(): readonly [string, string, string] {
  const text = readFileSync(page, "utf8");
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}
