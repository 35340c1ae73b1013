import { agentClasses, type FleetVerdict, type SweepProgress } from "@assay/fleet";
import { clockTime, duration, plural } from "../phrases.ts";
import { escapeText } from "../terminal/escape.ts";
import { createPainter } from "../terminal/painter.ts";
import type { Screen } from "../terminal/screen.ts";
import { cutTo } from "../terminal/width.ts";

/** Shows the progress of a sweep. */
export interface SweepView {
  settled(verdict: FleetVerdict): void;
  progress(progress: SweepProgress): void;
  say(text: string): void;
  /** Leaves the final lines on the screen. */
  end(): void;
}

/** Interval between two progress lines in a log. */
const tellMs = 30_000;
/** The maximum number of verdicts to show during a sweep. */
const shownVerdicts = 8;

export const createSweepView = (screen: Screen, isSilent = false): SweepView =>
  isSilent
    ? { settled() {}, progress() {}, say() {}, end() {} }
    : screen.canRepaint
      ? liveView(screen)
      : plainView(screen);

/** Returns a line such as "login-required  maps  It answers callers that log in." */
export const verdictLine = ({ class: named, agent, reason, unchanged }: FleetVerdict): string =>
  escapeText(`${named.padEnd(19)} ${agent}  ${unchanged ? "unchanged: " : ""}${reason.message}`);

/** Returns the progress: "120 of 300 agents, 240 a minute, about 45 s left". */
function progressText({ settled, agents, perMinute, left }: SweepProgress): string {
  const pace = perMinute === undefined ? "" : `, ${Math.round(perMinute)} a minute`;
  const rest = left === undefined || settled >= agents ? "" : `, about ${duration(left)} left`;
  return `${settled} of ${plural(agents, "agent")}${pace}${rest}`;
}

/** Returns counts in the order of a league table: "working 12, login-required 3". */
export function classCounts(verdicts: Iterable<Pick<FleetVerdict, "class">>): string {
  const counts = new Map<string, number>();
  for (const { class: named } of verdicts) counts.set(named, (counts.get(named) ?? 0) + 1);
  return agentClasses.flatMap((named) => (counts.has(named) ? `${named} ${counts.get(named)}` : [])).join(", ");
}

function plainView({ line }: Screen): SweepView {
  let toldAt = Date.now();
  return {
    settled: (verdict) => line(verdictLine(verdict)),
    progress(progress) {
      if (Date.now() - toldAt < tellMs) return;
      toldAt = Date.now();
      line(progressText(progress));
    },
    say: (text) => line(text),
    end() {},
  };
}

function liveView(screen: Screen): SweepView {
  const painter = createPainter((text) => screen.write(text));
  const startedAt = Date.now();
  const seen: Pick<FleetVerdict, "class">[] = [];
  const latest: FleetVerdict[] = [];
  let told: SweepProgress | undefined;
  let remark: string | undefined;
  const paint = (): void => {
    const { columns } = screen.size();
    const head = told ? progressText(told) : "reading earlier verdicts";
    const lines = [
      `  ${clockTime(Date.now() - startedAt)}   ${head}`,
      ...(remark === undefined ? [] : [`  ${remark}`]),
      ...(seen.length ? [`  ${screen.colors.dim(classCounts(seen))}`, ""] : []),
      ...latest.map((verdict) => `  ${verdictLine(verdict)}`),
    ];
    painter.paint(lines.map((line) => cutTo(line, columns - 1)));
  };
  paint();
  return {
    settled(verdict) {
      seen.push({ class: verdict.class });
      latest.push(verdict);
      if (latest.length > shownVerdicts) latest.shift();
      paint();
    },
    progress(progress) {
      told = progress;
      paint();
    },
    say(text) {
      remark = text;
      paint();
    },
    end: () => painter.clear(),
  };
}
