// Writes the results as a table between two marks of a page, so that the text around it stays.
const marks = ["<!-- table: npm run frameworks -->", "<!-- end of table -->"];

const head = [
  "framework",
  "package",
  "model",
  "versions found",
  "outcome",
  "level",
  "failed",
  "to fix",
  "warnings",
  "examined",
  "messages",
  "seconds",
];

/** Returns the row of one run. `to fix` counts the root causes that `assay test` lists under "Fix first". */
export function rowOf({ title, package: name, version }, think, report) {
  const { summary, dialects, outcome, conformanceLevel, fixFirst, duration_ms } = report;
  return [
    title,
    `${name} ${version}`,
    think === 0 ? "at once" : `${think} s`,
    dialects.map(({ dialect, declared }) => (declared ? dialect : `${dialect} (not on its card)`)).join(", "),
    outcome.replace("-", " "),
    conformanceLevel ?? "none",
    summary.failed,
    fixFirst.length,
    summary.warnings,
    `${summary.examined} of ${summary.applicable}`,
    `${summary.workingMessages} of ${summary.plannedMessages}`,
    Math.round(duration_ms / 1000),
  ].map(String);
}

/**
 * Returns the page with these rows in its table. It replaces rows of the same framework and model, and keeps the
 * others.
 */
export function withRows(page, rows) {
  const [before, table, after] = partsOf(page);
  const keyOf = ([title, , model]) => `${title}\n${model}`;
  const kept = table
    .split("\n")
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const merged = new Map([...kept, ...rows].map((row) => [keyOf(row), row]));
  const lines = [head, head.map(() => "---"), ...[...merged.values()].toSorted(byFirstCell)];
  return `${before}${marks[0]}\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n${marks[1]}${after}`;
}

const byFirstCell = ([a, , slow], [b, , slower]) => a.localeCompare(b) || slower.localeCompare(slow);

function partsOf(page) {
  const [start, end] = marks.map((mark) => page.indexOf(mark));
  if (start < 0 || end < start) throw new Error(`The page has no place for the table: ${marks.join(" … ")}`);
  return [page.slice(0, start), page.slice(start + marks[0].length, end).trim(), page.slice(end + marks[1].length)];
}
