import type { MatrixDocument, MatrixProgress } from "@assay/matrix";
import { causesOf, releasedScore, scoreOf, scoreText } from "@assay/matrix/view";
import { duration, plural } from "../phrases.ts";
import type { Screen } from "../terminal/screen.ts";

/** Returns a line for a finished pair of client and server, with the number of remaining pairs. */
export function progressLine(
  { pairings, total, pairing, cells = {}, remainingMs }: MatrixProgress,
  { colors }: Screen,
): string {
  const { passed = 0, failed = 0, blocked = 0, ...others } = cells;
  const red = failed + blocked;
  const left = Object.entries(others).map(([outcome, count]) => `${count} ${outcome}`);
  const counted = [`${passed} passed`, ...(red ? [`${red} red`] : []), ...left].join(", ");
  const sign = red ? colors.red("✗") : colors.green("✓");
  const rest = remainingMs === undefined || pairings === total ? "" : `, about ${duration(remainingMs)} left`;
  return `  ${sign} ${String(pairings).padStart(String(total).length)}/${total} ${pairing}  ${colors.dim(`${counted}${rest}`)}`;
}

/** Summarises the matrix on one screen. */
export function matrixSummary(matrix: MatrixDocument, { colors }: Screen): readonly string[] {
  const score = scoreOf(matrix.cells);
  const released = releasedScore(matrix);
  const causes = causesOf(matrix);
  const shown = 12;
  return [
    "",
    `${scoreText(score)} passed; ${score.failed} red${score.known ? `, ${score.known} of them known` : ""}, ${score.unsupported} not supported, ${score.left} not applicable or not run; ${duration(matrix.duration_ms)}`,
    ...(released
      ? [
          `Without pre-releases (${released.without.map(({ name, version }) => `${name} ${version}`).join(", ")}): ${scoreText(released.score)} passed; ${released.score.failed} red`,
        ]
      : []),
    ...(causes.length ? ["", `The failures have ${plural(causes.length, "cause")}:`] : []),
    ...causes
      .slice(0, shown)
      .map(
        ({ whose, title, cells, known }) =>
          `  ${colors.bold(String(cells.length).padStart(4))} ${plural(cells.length, "cell").replace(/^\d+ /, "")}  ${whose.padEnd(13)} ${title}${known ? colors.dim(` (${known} known)`) : ""}`,
      ),
    ...(causes.length > shown
      ? [`       and ${causes.length - shown} more. Use --report site=<folder> to see all`]
      : []),
    ...matrix.staleKnownFailures.map(
      ({ row }) =>
        `  ${colors.yellow("stale")} ${row.driver}: ${row.scenarios.join(", ")} is a known failure, but passes now. Remove it from the list`,
    ),
  ];
}
