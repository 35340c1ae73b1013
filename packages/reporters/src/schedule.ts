import { bindingName, lanesOf, type ScheduleLane, type SpanKind, spans, timeSpent } from "@assay/suite/report";
import { markup } from "@assay/suite/text";
import type { Run } from "./run.ts";

/** The colours differ in brightness too, for readers who cannot distinguish them. */
const looks: Record<SpanKind, { readonly color: string; readonly words: string }> = {
  work: { color: "#1a7f37", words: "the agent is at work" },
  answer: { color: "#6fdd8b", words: "the agent answers" },
  retry: { color: "#b3261e", words: "waiting before a retry" },
  "time-out": { color: "#7d1b14", words: "no response until the timeout" },
  due: { color: "#9a6700", words: "something is due" },
  pause: { color: "#d4a72c", words: "listening" },
  turn: { color: "#d0d7de", words: "waiting for its turn" },
};

const lane = { height: 12, gap: 2 };
const names = { width: 330, size: 10 };
const chart = { width: 900, top: 44 };
/** Approximate number of marks on the time axis. */
const marks = 10;

/**
 * Draws the schedule of a run, with one lane for each observation: requested, started, agent at work, waiting.
 * It shows no text from the agent.
 */
export function schedule({ events }: Run): string {
  const lanes = lanesOf(events);
  const finished = events.find((event) => event.event === "run-finished");
  const end = Math.max(1, finished?.duration_ms ?? 0, ...lanes.map(({ to }) => to));
  const x = (ms: number): number => names.width + round((Math.max(0, Math.min(ms, end)) / end) * chart.width);
  const height = chart.top + lanes.length * (lane.height + lane.gap) + 10;
  const width = names.width + chart.width + 20;
  const label = `The schedule of a run: ${lanes.length} observations in ${seconds(end)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img" aria-label="${label}">`,
    `  <title>${label}</title>`,
    `  <rect width="${width}" height="${height}" fill="#fff"/>`,
    `  <g font-family="Verdana, DejaVu Sans, Geneva, sans-serif" font-size="${names.size}" fill="#24292f">`,
    ...legend(timeSpent(events)),
    ...axis(end, height, x),
    ...lanes.flatMap((each, index) => drawn(each, chart.top + index * (lane.height + lane.gap), x)),
    "  </g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Draws the meaning of the colours, with the share of each in the run. */
function legend(spent: ReturnType<typeof timeSpent>): string[] {
  const column = (names.width + chart.width) / spans.length;
  return spans.flatMap((each, index) => {
    const at = round(10 + index * column);
    return [
      `    <rect x="${at}" y="6" width="10" height="10" fill="${looks[each].color}"/>`,
      `    <text x="${at + 14}" y="15">${looks[each].words}: ${seconds(spent[each])}</text>`,
    ];
  });
}

function axis(end: number, height: number, x: (ms: number) => number): string[] {
  const step =
    [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000].find((ms) => end / ms <= marks) ?? end / marks;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step).flatMap((ms) => [
    `    <path d="M${x(ms)} ${chart.top - 8}V${height}" stroke="#d0d7de" stroke-width="0.5"/>`,
    `    <text x="${x(ms) + 2}" y="${chart.top - 10}">${seconds(ms)}</text>`,
  ]);
}

function drawn(
  { what, interface: on, from, to, spans: own }: ScheduleLane,
  y: number,
  x: (ms: number) => number,
): string[] {
  const name = markup(on ? `${what} (${bindingName(on.binding)}, ${on.dialect})` : what);
  const bar = (kind: SpanKind, start: number, stop: number): string =>
    `      <rect x="${x(start)}" y="${y}" width="${Math.max(0.5, round(x(stop) - x(start)))}" height="${lane.height}" fill="${looks[kind].color}"/>`;
  return [
    "    <g>",
    `      <title>${name}: ${seconds(from)} to ${seconds(to)}</title>`,
    `      <text x="${names.width - 6}" y="${y + names.size}" text-anchor="end">${name}</text>`,
    `      <path d="M${x(from)} ${y + lane.height / 2}H${x(to)}" stroke="#8c959f"/>`,
    ...own.map((span) => bar(span.is, span.from, Math.min(span.to, to))),
    "    </g>",
  ];
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const round = (value: number): number => Math.round(value * 10) / 10;
