import { agentClasses, type FleetVerdict, type SweepProgress } from "@assay/fleet";
import { clockTime, duration, plural } from "../phrases.ts";
import { escapeText } from "../terminal/escape.ts";
import { createPainter } from "../terminal/painter.ts";
import type { Screen } from "../terminal/screen.ts";
import { cutTo } from "../terminal/width.ts";

/** Shows a sweep as it goes on. */
export interface SweepView {
  settled(verdict: FleetVerdict): void;
  progress(progress: SweepProgress): void;
  say(text: string): void;
  /** Leaves the screen as it should stay. */
  end(): void;
}

/** Interval between two progress lines in a log. */
const tellMs = 30_000;
/** The verdicts that are seen at a time while it goes on. */
const shownVerdicts = 8;

export const createSweepView = (screen: Screen, isSilent = false): SweepView =>
  isSilent
    ? { settled() {}, progress() {}, say() {}, end() {} }
    : screen.canRepaint
      ? liveView(screen)
      : plainView(screen);

/** "login-required  maps  It answers callers that log in." */
export const verdictLine = ({ class: named, agent, reason, unchanged }: FleetVerdict): string =>
  escapeText(`${named.padEnd(19)} ${agent}  ${unchanged ? "unchanged: " : ""}${reason.message}`);

/** "120 of 300, 240 a minute, 45 s left" */
function progressText({ settled, agents, perMinute, left }: SweepProgress): string {
  const pace = perMinute === undefined ? "" : `, ${Math.round(perMinute)} a minute`;
  const rest = left === undefined || settled >= agents ? "" : `, about ${duration(left)} left`;
  return `${settled} of ${plural(agents, "agent")}${pace}${rest}`;
}

/** "working 12, login-required 3", in the order of a league table. */
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
