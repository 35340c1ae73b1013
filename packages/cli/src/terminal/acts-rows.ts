import { type ActsReport, factsOf, outcomesOf, type TestOutcome } from "@assay/scenarios";
import { clockTime, duration, plural } from "../phrases.ts";
import { brief, escapeText } from "./escape.ts";
import { createPainter } from "./painter.ts";
import type { Screen } from "./screen.ts";
import { cutTo } from "./width.ts";

/** Shows a row for each finished scenario, and on a terminal the progress. */
export interface ActsView {
  start(url: string, facts: { readonly name: string; readonly version: string } | undefined): void;
  expect(rows: readonly string[]): void;
  take(outcome: TestOutcome): void;
  say(text: string): void;
  end(): void;
}

const repaintMs = 100;

/** Returns the width of the id column, so that titles align. A very long id gets its own line. */
function idColumn(ids: readonly string[], columns: number): number {
  const most = Math.max(12, Math.floor(columns * 0.4));
  return Math.min(most, Math.max(0, ...ids.map((id) => id.length)));
}

export function createActsView(screen: Screen, now: () => number = Date.now): ActsView {
  const { colors, line } = screen;
  const painter = screen.canRepaint ? createPainter((text) => screen.write(text)) : undefined;
  const startedAt = now();
  let [rows, done, idWidth] = [0, 0, 0];
  const paint = (): void => {
    if (!painter || !rows) return;
    const width = 22;
    const filled = Math.round((done / rows) * width);
    const bar = `${"█".repeat(filled)}${colors.dim("░".repeat(width - filled))}`;
    painter.paint([cutTo(`  ${bar}  ${done} of ${rows}   ${clockTime(now() - startedAt)}`, screen.size().columns - 1)]);
  };
  const timer = painter && setInterval(paint, repaintMs);
  timer?.unref();
  const print = (lines: readonly string[]): void => {
    painter?.clear();
    for (const each of lines) line(each);
    paint();
  };
  return {
    start(url, facts) {
      const name = facts ? `  ${escapeText(`${facts.name} ${facts.version}`.trim())}` : "";
      print([`${colors.bold("ACTS")} on ${escapeText(url)}${name}`, ""]);
    },
    expect(ids) {
      rows = ids.length;
      idWidth = idColumn(ids, columnsOf(screen));
    },
    take(outcome) {
      done += 1;
      print(rowLines(outcome, screen, idWidth));
    },
    say: (text) => print([text]),
    end() {
      clearInterval(timer);
      rows = 0;
      painter?.clear();
    },
  };
}

/** Returns the available columns. A log has no width limit that matters. */
const columnsOf = (screen: Screen): number => (screen.isTerminal ? screen.size().columns : 120);

/** Returns the row of a scenario, with the details of a failure below it. */
function rowLines(outcome: TestOutcome, screen: Screen, idWidth: number): string[] {
  const { colors } = screen;
  const { row, name, verdict, reason, failure, durationMs, level, run, notes } = outcome;
  const signs = {
    pass: colors.green("✓"),
    fail: colors.red("✗"),
    skip: colors.dim("-"),
    defect: colors.yellow("~"),
    error: colors.yellow("!"),
  };
  const head = `  ${signs[verdict]} ${row.padEnd(idWidth)} `;
  const { columns } = screen.size();
  const fit = (text: string): string => (screen.isTerminal ? cutTo(text, columns - 1) : text);
  const where = run === "main" ? "" : colors.dim(` (${run} run)`);
  switch (verdict) {
    case "pass": {
      const note = notes.length ? colors.dim(`  ${escapeText(notes.join("; "))}`) : "";
      const time = durationMs >= 1_000 ? colors.dim(`  ${duration(durationMs)}`) : "";
      return [fit(`${head}${escapeText(name)}${where}${time}${note}`)];
    }
    case "skip":
      return [fit(`${head}${colors.dim(`skipped: ${escapeText(reason ?? "")}`)}`)];
    case "defect":
      return [fit(`${head}defective scenario: ${escapeText(reason ?? "")}`)];
    case "error":
      return [fit(`${head}error: ${escapeText(reason ?? "")}`)];
    case "fail": {
      const facts = failure ? factsOf(failure) : [];
      return [
        fit(`${head}${escapeText(name)}${where} ${colors.dim(level)}`),
        ...(failure ? [`      ${colors.red(`${escapeText(failure.step)}: ${brief(failure.message, 400)}`)}`] : []),
        ...facts.map(
          ([label, text]) => `      ${colors.dim(label.padEnd(6))}  ${brief(text, label === "repeat" ? 5_000 : 600)}`,
        ),
      ];
    }
  }
}

/** Returns the summary: by level, then the skipped scenarios with reasons, then other findings. */
export function actsSummary(report: ActsReport, screen: Screen): string[] {
  const { colors } = screen;
  const { summary, traffic, notes, duration_ms, ending } = report;
  const outcomes = outcomesOf(report);
  const levels = Object.entries(summary.by_level).filter(([, { total }]) => total);
  const failures = outcomes.filter(({ verdict }) => verdict === "fail");
  const idWidth = idColumn(
    failures.map(({ row }) => row),
    columnsOf(screen),
  );
  const skips = reasonsOf(outcomes.filter(({ verdict }) => verdict === "skip"));
  return [
    "",
    ...levels.map(([level, { total, passed, failed, skipped, defects, errors }]) => {
      const rest = [
        ...(failed ? [colors.red(`${failed} failed`)] : []),
        ...(skipped ? [`${skipped} skipped`] : []),
        ...(defects ? [`${plural(defects, "defect")} of the corpus`] : []),
        ...(errors ? [plural(errors, "error")] : []),
      ];
      return `  ${`${level.toUpperCase()}:`.padEnd(8)}${passed}/${total} passed${rest.length ? ` (${rest.join(", ")})` : ""}`;
    }),
    ...(skips.length
      ? [
          "",
          colors.bold("Skipped"),
          ...skips.map(([reason, count]) => `  ${String(count).padStart(3)}  ${escapeText(reason)}`),
        ]
      : []),
    ...(failures.length
      ? [
          "",
          colors.bold("Failed"),
          ...failures.map(({ row, failure }) => {
            const text = `  ${row.padEnd(idWidth)} ${brief(failure?.message ?? "", 160)}`;
            return screen.isTerminal ? cutTo(text, screen.size().columns - 1) : text;
          }),
        ]
      : []),
    ...(traffic.length
      ? [
          "",
          `${colors.bold("Also seen in the traffic")} (assay explain <rule>; does not affect the result)`,
          ...trafficLines(traffic),
        ]
      : []),
    ...notes.map((note) => `Note: ${escapeText(note)}`),
    "",
    `${ending === "interrupted" ? "Interrupted: " : ""}${plural(summary.total, "row")}: ${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped, ${plural(summary.defects, "defect")} of the corpus, ${plural(summary.errors, "error")}; ${duration(duration_ms)}`,
  ];
}

/** Returns reasons with their counts, the most frequent first. */
function reasonsOf(outcomes: readonly TestOutcome[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { reason = "" } of outcomes) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

function trafficLines(traffic: ActsReport["traffic"]): string[] {
  const said = new Map<string, string>();
  for (const { test, verdict, message, warning, title } of traffic)
    said.set(test, `${verdict === "fail" ? "✗" : "!"} ${test.padEnd(12)} ${brief(warning ?? message ?? title, 140)}`);
  return [...said.values()].map((text) => `  ${text}`);
}
