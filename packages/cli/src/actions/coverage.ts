import { loadFamilies } from "@assay/agents";
import { didYouMean } from "@assay/protocol/core";
import { type CoverageRow, coverage, isDraft, ruleSetFor } from "@assay/suite";
import type { CoverageFlags } from "../commands/coverage.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { plural } from "../phrases.ts";
import type { Screen } from "../terminal/screen.ts";
import { cutTo } from "../terminal/width.ts";

/** The meaning of each state. */
const endings: Record<CoverageRow["ends"], string> = {
  checked: "Assay checks it",
  "no-check-yet": "could be checked, but is not yet",
  client: "is about clients, and Assay does not check it yet",
  permission: "is a permission, which an agent cannot break",
  unobservable: "cannot be observed from outside",
};
const names = Object.keys(endings) as CoverageRow["ends"][];

/** A catalogue row, with the agents that break its rule on purpose. */
type ProvenRow = CoverageRow & { readonly mutants: readonly string[] };

/** Runs `assay coverage`: counts or lists the rows of the catalogue. */
export async function showCoverage(flags: CoverageFlags, screen: Screen): Promise<ExitCode> {
  const { mutants } = await loadFamilies();
  const dialect = flags.dialect ?? "1.0";
  const rows = chosen(coverage(dialect), flags).map(
    (row): ProvenRow => ({
      ...row,
      mutants: mutants.map(({ id }) => id).filter((id) => id.startsWith(`${row.rule.id}.`)),
    }),
  );
  if (flags.json) screen.json(rows, 2);
  else if (flags.markdown) screen.write(coverageMarkdown(dialect, rows));
  else {
    const isListed = flags.rows || flags.area !== undefined || flags.ends !== undefined;
    const { columns } = screen.size();
    const lines = [
      ...coverageLines(dialect, rows, screen.colors),
      ...(isListed ? ["", ...rowLines(rows).map((line) => (screen.isTerminal ? cutTo(line, columns) : line))] : []),
      ...(isListed ? [] : ["", "Run assay coverage --area LIST for the rules of an area, --rows for all rules."]),
    ];
    for (const line of lines) screen.line(line);
  }
  return exitCodes.fine;
}

const areaOf = ({ rule }: CoverageRow): string => rule.id.replace(/^V\d\d-/, "").split("-", 1)[0]!;

function chosen(all: readonly CoverageRow[], { area, ends }: CoverageFlags): readonly CoverageRow[] {
  const areas = [...new Set(all.map(areaOf))];
  for (const name of area ?? []) {
    if (!areas.includes(name.toUpperCase()))
      throw new UsageError(`--area ${name}: unknown area.${didYouMean(name, areas)}`, `Areas: ${areas.join(", ")}`);
  }
  const wanted = area?.map((name) => name.toUpperCase());
  return all.filter((row) => (!wanted || wanted.includes(areaOf(row))) && (ends === undefined || row.ends === ends));
}

const countOf = (rows: readonly CoverageRow[], ends: CoverageRow["ends"]): number =>
  rows.filter((row) => row.ends === ends).length;

type Text = NonNullable<CoverageFlags["dialect"]>;

/** Returns a label such as "A2A 1.0, set 1.0.1-r1". */
const named = (text: Text): string =>
  isDraft(text) ? `the draft ${text}, in addition to those of 1.0` : `A2A ${text}, set ${ruleSetFor(text)}`;

/** Prints totals, then one line for each area. */
function coverageLines(dialect: Text, rows: readonly CoverageRow[], colors: Screen["colors"]): string[] {
  const shown = names.filter((name) => countOf(rows, name) > 0);
  const totals = shown.map(
    (name) => `  ${String(countOf(rows, name)).padStart(4)}  ${name.padEnd(13)} ${endings[name]}`,
  );
  const areas = [...new Set(rows.map(areaOf))];
  const table = areas.map((area) => {
    const here = rows.filter((row) => areaOf(row) === area);
    const cells = shown.map((name) => String(countOf(here, name) || "·").padStart(name.length + 2));
    return `  ${area.padEnd(8)} ${String(here.length).padStart(5)}${cells.join("")}`;
  });
  const heading = `  ${"area".padEnd(8)} rules${shown.map((name) => `  ${name}`).join("")}`;
  return [
    `${colors.bold(plural(rows.length, "rule"))} of ${named(dialect)}`,
    ...totals,
    "",
    colors.dim(heading),
    ...table,
  ];
}

function rowLines(rows: readonly ProvenRow[]): string[] {
  const width = Math.max(0, ...rows.map(({ rule }) => rule.id.length));
  return rows.map(({ rule, ends, by, because, mutants }) => {
    const level = rule.level.replace("_", " ").padEnd(10);
    const caught = mutants.length ? `  (caught on ${mutants.join(", ")})` : "";
    return `${rule.id.padEnd(width)}  ${level}  ${ends.padEnd(12)}  ${by ?? because ?? rule.text}${by ? caught : ""}`;
  });
}

/** Prints every row, with totals above it. */
function coverageMarkdown(dialect: Text, rows: readonly ProvenRow[]): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
  const totals = names.map((name) => `| ${name} | ${countOf(rows, name)} | ${endings[name]} |`);
  const lines = rows.map(
    ({ rule, ends, by, because, mutants }) =>
      `| ${rule.id} | ${rule.level.replace("_", " ")} | ${cell(rule.section)} | ${ends} | ${cell(by ?? because ?? "")} | ${mutants.join(", ")} | ${cell(rule.text)} |`,
  );
  return `${[
    `# Coverage of ${named(dialect)}`,
    "",
    `${plural(rows.length, "rule")}.`,
    "",
    "| state | rules | meaning |",
    "|---|---:|---|",
    ...totals,
    "",
    "| rule | level | section | state | check, or reason | mutants | text |",
    "|---|---|---|---|---|---|---|",
    ...lines,
  ].join("\n")}\n`;
}
