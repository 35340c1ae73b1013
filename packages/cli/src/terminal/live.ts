import { type LiveFinding, Progress, type RunEvent, rulesText } from "@assay/suite/report";
import { clockTime, plural } from "../phrases.ts";
import { escapeText } from "./escape.ts";
import { headerOf } from "./header.ts";
import { createPainter } from "./painter.ts";
import type { Screen } from "./screen.ts";
import { cutTo, padTo, widthOf, wrap } from "./width.ts";

/** Shows the progress of a run. The summary follows it. */
export interface RunView {
  take(event: RunEvent): void;
  /** Shows a text that is not an event of the run. */
  say(text: string): void;
  /** Replaces the live view by its final lines. */
  end(): void;
}

/** The interval between repaints: smooth, but cheap. */
const repaintMs = 100;

/** The view for a terminal: a header, a progress bar, and findings as they arrive. */
export function createLiveView(screen: Screen, now: () => number = Date.now): RunView {
  const progress = new Progress();
  const painter = createPainter((text) => screen.write(text));
  const startedAt = now();
  let remark: string | undefined;
  let hasNews = true;
  let second = -1;
  const paint = (): void => {
    const elapsed = now() - startedAt;
    if (!hasNews && Math.floor(elapsed / 1_000) === second) return;
    hasNews = false;
    second = Math.floor(elapsed / 1_000);
    painter.paint(frameOf(progress, { ...screen.size(), elapsed, colors: screen.colors, remark }));
  };
  const timer = setInterval(paint, repaintMs);
  timer.unref();
  paint();
  return {
    take(event) {
      progress.take(event);
      hasNews = true;
    },
    say(text) {
      remark = text;
      hasNews = true;
      paint();
    },
    end() {
      clearInterval(timer);
      painter.clear();
      const [name, ...rest] = headerOf(progress, screen.colors);
      // The first line ends with an address, which people copy: never break it.
      if (name !== undefined) screen.line(name);
      for (const line of rest) for (const part of wrap(line, screen.size().columns)) screen.line(part);
      if (progress.run.found || progress.run.started?.subject === "client") screen.line();
    },
  };
}

export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
  readonly elapsed: number;
  readonly colors: Screen["colors"];
  readonly remark?: string | undefined;
}

/** Renders the live view as lines that fit the terminal. */
export function frameOf(progress: Progress, { columns, rows, elapsed, colors, remark }: FrameSize): string[] {
  const header = rows < 10 ? [] : headerOf(progress, colors);
  const bar = barLine(progress, elapsed, columns, colors);
  const top = [...header, ...(header.length ? [""] : []), bar, ...(remark === undefined ? [] : [`  ${remark}`])];
  const room = Math.max(1, rows - top.length - 1);
  return [...top, ...findingLines([...progress.findings.values()], room, colors)].map((line) =>
    cutTo(line, columns - 1),
  );
}

function barLine(progress: Progress, elapsed: number, columns: number, colors: Screen["colors"]): string {
  const { planned, workingMessages } = progress.run;
  const time = clockTime(elapsed);
  if (!planned) return `  ${time}   ${colors.dim(beginning(progress))}`;
  const width = columns < 80 ? 8 : 22;
  const filled = Math.round(progress.done * width);
  const facts = [
    `${progress.rules} of ${rulesText(planned.rules, progress.run.started?.subject)}`,
    ...(planned.workingMessages ? [`${workingMessages} of ${plural(planned.workingMessages, "message")}`] : []),
    time,
  ].join("   ");
  const now = progress.now === undefined ? "" : `   ${colors.dim(`now: ${escapeText(progress.now)}`)}`;
  return `  ${"█".repeat(filled)}${colors.dim("░".repeat(width - filled))}  ${facts}${now}`;
}

/** Describes the activity before the plan is known. */
function beginning({ run: { started, found } }: Progress): string {
  if (started?.subject === "gateway") return "looking for the gateway";
  if (started?.subject === "client") return "detecting the versions and bindings of the client";
  return found ? "reading the card" : "looking for the agent";
}

/**
 * Returns the findings that fit: failures before warnings, of too many failures the latest, and the number of the
 * others.
 */
function findingLines(findings: readonly LiveFinding[], room: number, colors: Screen["colors"]): string[] {
  const [failures, warnings] = [findings.filter(isFailure), findings.filter((finding) => !isFailure(finding))];
  const wanted = [...failures, ...warnings];
  const shown =
    wanted.length <= room
      ? wanted
      : [
          ...failures.slice(Math.max(0, failures.length - room + 1)),
          ...warnings.slice(0, Math.max(0, room - 1 - failures.length)),
        ];
  const idWidth = Math.max(0, ...shown.map(({ test }) => test.length));
  const places = shown.map(({ where }) => escapeText([...where].join(", ")));
  const placeWidth = Math.min(32, Math.max(0, ...places.map(widthOf)));
  const lines = shown.map(({ mark, test, message }, index) => {
    const sign = mark === "fail" ? colors.red("✗") : colors.yellow("!");
    return `  ${sign} ${test.padEnd(idWidth)}  ${padTo(places[index]!, placeWidth)}   ${escapeText(message)}`;
  });
  const hidden = wanted.length - shown.length;
  return hidden ? [...lines, colors.dim(`  … and ${hidden} more`)] : lines;
}

const isFailure = ({ mark }: LiveFinding): boolean => mark === "fail";
