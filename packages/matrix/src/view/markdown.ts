import { code, prose } from "@assay/suite/text";
import { causesOf, type SharedCause } from "../causes/shared-causes.ts";
import type { MatrixDocument, MatrixDriver } from "../document/document.ts";
import { compareMatrices, listedChanges, type MatrixComparison } from "./compare.ts";
import { blamedWords, changeWords, scoreText } from "./labels.ts";
import { participantsOf, releasedScore, versionText } from "./participants.ts";
import { type ScenarioTable, scenarioTables } from "./scenario-table.ts";
import { gradeOf, gradeSigns, type PairScore, type PairTable, pairTable, type Score, scoreOf } from "./scores.ts";
import { wiresOf, wireTitle } from "./wires.ts";

/**
 * Formats the matrix as Markdown: a table for each wire, then red cells by cause; `before` adds the changes
 * since then.
 */
export function matrixMarkdown(matrix: MatrixDocument, before?: MatrixDocument): string {
  const tables = wiresOf(matrix).map((wire) => pairTable(matrix, wire));
  return [
    "# Which client works with which server",
    headline(matrix),
    ...(before ? comparison(compareMatrices(before, matrix)) : []),
    ...stale(matrix),
    ...tables.flatMap(table),
    legend,
    ...scenarioTables(matrix).flatMap(scenarios),
    ...causes(causesOf(matrix)),
    ...chains(matrix),
    "## Drivers",
    drivers(matrix),
  ]
    .join("\n\n")
    .concat("\n");
}

/** Formats the score, also without pre-releases, and the circumstances. */
export function headline(matrix: MatrixDocument): string {
  const score = scoreOf(matrix.cells);
  const failed = score.failed
    ? ` ${score.failed} failed for ${causeCount(causesOf(matrix).length)}${knownText(score)}.`
    : "";
  return [
    `**${scoreText(score)} cells passed.**${failed} Not supported by an SDK: ${score.unsupported}. Not applicable or not run: ${score.left}.`,
    ...released(matrix),
    `Assay ${code(matrix.tool.version)}, ${matrix.startedAt.slice(0, 10)}, ${minutes(matrix.duration_ms)} on ${matrix.machine.cores} cores.${matrix.partial === undefined ? "" : ` Partial: ${prose(matrix.partial)}.`}`,
  ].join("\n\n");
}

export const causeCount = (causes: number): string => `${causes} ${causes === 1 ? "cause" : "causes"}`;

const knownText = ({ failed, known }: Score): string =>
  known === 0 ? "" : known === failed ? ", all of them known" : `, ${known} of them known`;

function released(matrix: MatrixDocument): string[] {
  const found = releasedScore(matrix);
  if (!found) return [];
  const names = found.without.map((driver) => code(`${driver.name} ${driver.version}`)).join(", ");
  return [`Without pre-releases (${names}): **${scoreText(found.score)} passed**; ${found.score.failed} failed.`];
}

/** Returns the name of a driver with the version that was tested. */
const titled = (driver: MatrixDriver): string => `${code(driver.name)} ${prose(versionText(driver))}`;

const minutes = (ms: number): string => (ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`);

const legend =
  "Rows are clients, columns are servers. Each cell shows the scenarios passed of those tried: ✓ all, ! at least four of five, ✗ fewer, – not supported, · not tried. A cell is empty if one of the two does not support the binding and version.";

function table({ wire, clients, servers, rows, total }: PairTable): string[] {
  const head = ["client \\ server", ...servers.map(titled)];
  const lines = rows.map((row, index) => [titled(clients[index]!), ...row.map(cell)]);
  return [
    `## ${wireTitle(wire)}: ${scoreText(total)}`,
    [head, head.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n"),
  ];
}

/** Scenarios as rows, SDKs as columns, against one test bed. */
function scenarios({ role, bed, sdks, rows }: ScenarioTable): string[] {
  const head = ["scenario", ...sdks.map(titled)];
  const lines = rows.map(({ scenario, scores }) => [code(scenario.id), ...scores.map(scored)]);
  const title = role === "client" ? "SDK clients against the server of" : "SDK servers against the client of";
  return [
    `## ${title} ${code(bed.name)}, by scenario`,
    [head, head.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n"),
    "Each cell shows the bindings and versions passed of those tried.",
  ];
}

const scored = (score: Score | undefined): string =>
  score ? `${gradeSigns[gradeOf(score)]} ${scoreText(score).replace(" of ", "/")}` : " ";

function cell(pair: PairScore | undefined): string {
  return scored(pair?.score);
}

function causes(found: readonly SharedCause[]): string[] {
  if (found.length === 0) return ["## No failures"];
  return [
    "## Failures by cause",
    ...found.map(
      (cause) =>
        `### ${found.indexOf(cause) + 1}. ${prose(cause.title)}\n\n${[concerned(cause), explained(cause), where(cause), ...knownBy(cause)].join("\n\n")}`,
    ),
  ];
}

const concerned = ({ whose, example, cells, blame, known }: SharedCause): string => {
  const name = whose === "client" || whose === "server" ? ` ${code(example[whose])}` : "";
  const unclear = blame?.ambiguity === undefined ? "" : ` (${blame.ambiguity})`;
  const rules = (blame?.reasons ?? []).flatMap(({ rule }) =>
    rule ? [`[${rule.id}, §${rule.section}](${rule.url})`] : [],
  );
  return `**${blamedWords[whose]}**${name}${unclear}; ${cells.length} failed ${cells.length === 1 ? "cell" : "cells"}${known ? `, ${known} known` : ""}${rules.length ? `; ${[...new Set(rules)].join(", ")}` : ""}`;
};

const explained = ({ blame, held }: SharedCause): string =>
  prose(blame?.explanation ?? held?.stderr ?? held?.says ?? "Nothing more was recorded.");

const where = ({ clients, servers, wires, scenarios }: SharedCause): string =>
  [
    `- clients: ${clients.map(code).join(", ")}`,
    `- servers: ${servers.map(code).join(", ")}`,
    `- over: ${wires.join(", ")}`,
    `- scenarios: ${scenarios.map(code).join(", ")}`,
  ].join("\n");

function knownBy({ cells }: SharedCause): string[] {
  const reasons = new Set(
    cells.flatMap(({ known }) =>
      known ? [`${known.flaky ? "flaky: " : ""}${prose(known.why)}${known.issue ? ` (${known.issue})` : ""}`] : [],
    ),
  );
  const [only, ...more] = reasons;
  if (only === undefined) return [];
  return more.length ? [`Known:\n\n${[only, ...more].map((why) => `- ${why}`).join("\n")}`] : [`Known: ${only}`];
}

function stale({ staleKnownFailures }: MatrixDocument): string[] {
  if (staleKnownFailures.length === 0) return [];
  const lines = staleKnownFailures.map(
    ({ row, cells }) =>
      `- ${code(row.driver)} as ${row.role}, ${row.scenarios.map(code).join(", ")}: ${prose(row.why)} (${cells} ${cells === 1 ? "cell" : "cells"}, none failed)`,
  );
  return ["## Known failures that no longer happen", "Remove them from the list:", lines.join("\n")];
}

function comparison({ counts, changes, packages, before }: MatrixComparison): string[] {
  const lines = listedChanges.flatMap((change) => {
    const cells = changes.filter((each) => each.change === change).map(({ id }) => code(id));
    if (cells.length === 0) return [];
    const more = cells.length > 20 ? ` and ${cells.length - 20} more` : "";
    return [`- ${changeWords[change]} (${cells.length}): ${cells.slice(0, 20).join(", ")}${more}`];
  });
  const updates = packages.map(
    ({ driver, before: was = "not there", after: is = "gone" }) => `- ${code(driver)}: ${code(was)} → ${code(is)}`,
  );
  return [
    `## Since ${before.startedAt.slice(0, 10)}`,
    `${counts.fixed} fixed, ${counts.broken} broken, ${counts.found} new, ${counts.still} failing in both.`,
    ...(lines.length ? [lines.join("\n")] : []),
    ...(updates.length ? [updates.join("\n")] : []),
  ];
}

function chains({ chains: all }: MatrixDocument): string[] {
  if (all.length === 0) return [];
  const lines = all.map(({ edges, servers, instructions, ...wire }) => {
    const passed = edges.filter(({ outcome }) => outcome === "passed").length;
    const broken = edges.filter(({ outcome }) => outcome === "failed").map(({ from, to }) => code(`${from} → ${to}`));
    return `- ${wireTitle(wire)}: ${passed} of ${edges.length} steps between ${servers.length} servers, with ${instructions} ${instructions === 1 ? "instruction" : "instructions"}${broken.length ? `; broken: ${broken.join(", ")}` : ""}`;
  });
  return ["## Relay from server to server", lines.join("\n")];
}

const drivers = (matrix: MatrixDocument): string =>
  [
    "| driver | language | package | version | |",
    "| --- | --- | --- | --- | --- |",
    ...participantsOf(matrix).map(
      (driver) =>
        `| ${[code(driver.name), prose(driver.language), code(driver.package), prose(versionText(driver)), part(driver)].join(" | ")} |`,
    ),
  ].join("\n");

const part = ({ absent, roles }: MatrixDriver): string =>
  absent === undefined ? Object.keys(roles).join(", ") : `did not take part: ${prose(absent)}`;
