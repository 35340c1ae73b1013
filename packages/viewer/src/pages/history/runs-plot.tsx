import { conformanceLevels } from "@assay/suite/report";
import { plural } from "@assay/suite/text";
import { useWidth } from "../../app/use-width.ts";
import type { RunLine } from "../../documents/runs.ts";

const height = 220;
const room = { left: 36, right: 110, top: 12, bottom: 26 };
/** The approximate distance between two marks on an axis, in pixels. */
const apart = { x: 140, y: 36 };

interface Line {
  readonly name: string;
  readonly look: string;
  /** the value of each run, from 0 (bottom) to 1 (top); undefined if it has none */
  readonly shares: readonly (number | undefined)[];
}

/** Plots broken rules and warnings as steps, with the level above them. The table below has the same numbers. */
export function RunsPlot({ runs, leftOut }: { readonly runs: readonly RunLine[]; readonly leftOut: number }) {
  const [box, width] = useWidth();
  const highest = Math.max(
    4,
    ...runs.map(({ broken, summary }) => Math.ceil(1.15 * Math.max(broken, summary.warnings))),
  );
  const lines: readonly Line[] = [
    { name: "broken rules", look: "broken", shares: runs.map(({ broken }) => broken / highest) },
    { name: "warnings", look: "warnings", shares: runs.map(({ summary }) => summary.warnings / highest) },
    { name: "level", look: "level", shares: runs.map(({ conformanceLevel }) => levelShare(conformanceLevel)) },
  ];
  const [first, last] = [runs[0]!, runs.at(-1)!];
  const [from, to] = [Date.parse(first.testDate), Date.parse(last.testDate)];
  const xOf = (time: number): number =>
    room.left + ((time - from) / Math.max(1, to - from)) * (width - room.left - room.right);
  const yOf = (share: number): number => height - room.bottom - share * (height - room.top - room.bottom);
  const xs = runs.map(({ testDate }) => xOf(Date.parse(testDate)));
  return (
    <figure class="panel plot">
      <div ref={box}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`${plural(runs.length, "run")}: from ${first.broken} broken rules to ${last.broken}`}
        >
          <title>Broken rules, warnings and level of each run</title>
          {numbersUpTo(highest).map((number) => (
            <g key={number}>
              <line x1={room.left} x2={width - room.right} y1={yOf(number / highest)} y2={yOf(number / highest)} />
              <text x={room.left - 6} y={yOf(number / highest) + 4} text-anchor="end">
                {number}
              </text>
            </g>
          ))}
          {momentsBetween(from, to, width).map(({ time, text }) => (
            <text key={time} x={xOf(time)} y={height - 6} text-anchor="middle">
              {text}
            </text>
          ))}
          {conformanceLevels.map((level) => (
            <text key={level} x={width - room.right + 8} y={yOf(levelShare(level)!) + 4}>
              {level}
            </text>
          ))}
          {lines.map(({ look, shares }) => (
            <g key={look} class={look}>
              <path d={stepsOf(xs, shares, yOf)} />
              {shares.map((share, index) => share !== undefined && <circle cx={xs[index]!} cy={yOf(share)} r={3} />)}
            </g>
          ))}
        </svg>
      </div>
      <ul class="plot-legend" aria-label="Lines">
        {lines.map(({ name, look }) => (
          <li key={look} class={look}>
            {name}
          </li>
        ))}
      </ul>
      <figcaption class="hint">
        Broken rules and warnings of each run; the dotted line is the level, by the words on the right.
        {leftOut > 0 && ` Not shown: ${plural(leftOut, "run")} that examined only a part.`}
      </figcaption>
    </figure>
  );
}

const levelShare = (level: RunLine["conformanceLevel"]): number | undefined =>
  level === null ? undefined : (conformanceLevels.length - 1 - conformanceLevels.indexOf(level)) / 3.2;

/** Returns the path of a line with steps: the value of a run holds until the next run. */
function stepsOf(xs: readonly number[], shares: Line["shares"], yOf: (share: number) => number): string {
  let path = "";
  for (const [index, share] of shares.entries()) {
    if (share === undefined) continue;
    const isBegun = index > 0 && shares[index - 1] !== undefined;
    path += isBegun ? `H${xs[index]}V${yOf(share)}` : `M${xs[index]} ${yOf(share)}`;
  }
  return path;
}

function numbersUpTo(highest: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200].find((each) => (highest / each) * apart.y <= height) ?? 500;
  return Array.from({ length: Math.floor(highest / step) + 1 }, (_, index) => index * step);
}

/** Returns the labels of the time axis: only times if all runs are on one day, otherwise dates too. */
function momentsBetween(from: number, to: number, width: number): { readonly time: number; readonly text: string }[] {
  const count = from === to ? 1 : Math.max(2, Math.floor((width - room.left - room.right) / apart.x));
  const times = Array.from({ length: count }, (_, index) => from + ((to - from) * index) / Math.max(1, count - 1));
  const isOneDay = new Set(times.map((time) => new Date(time).toISOString().slice(0, 10))).size === 1;
  return times.map((time) => {
    const moment = new Date(time).toISOString();
    return { time, text: isOneDay ? moment.slice(11, 19) : `${moment.slice(5, 10)} ${moment.slice(11, 16)}` };
  });
}
