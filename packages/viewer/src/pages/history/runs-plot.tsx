import "uplot/dist/uPlot.min.css";
import { conformanceLevels } from "@assay/suite/report";
import { plural } from "@assay/suite/text";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { RunLine } from "../../documents/runs.ts";

const height = 220;

/** Broken rules and warnings as steps, the level above them; the table below says the same in numbers. */
export function RunsPlot({ runs }: { readonly runs: readonly RunLine[] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current!;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(optionsFor(element.clientWidth), dataOf(runs), element);
    };
    draw();
    const observer = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    dark.addEventListener("change", draw);
    return () => {
      dark.removeEventListener("change", draw);
      observer.disconnect();
      plot?.destroy();
    };
  }, [runs]);
  const [first, last] = [runs[0]!, runs.at(-1)!];
  return (
    <figure class="panel plot">
      <div
        ref={box}
        role="img"
        aria-label={`${plural(runs.length, "run")}: from ${first.broken} broken rules to ${last.broken}`}
      />
      <figcaption class="hint">
        Broken rules and warnings of each run; the dotted line is the level, by the words on the right.
      </figcaption>
    </figure>
  );
}

const dataOf = (runs: readonly RunLine[]): uPlot.AlignedData => [
  runs.map(({ testDate }) => Date.parse(testDate) / 1_000),
  runs.map(({ broken }) => broken),
  runs.map(({ summary }) => summary.warnings),
  runs.map(({ conformanceLevel }) =>
    conformanceLevel === null ? null : 3 - conformanceLevels.indexOf(conformanceLevel),
  ),
];

/** The value of a run holds until the next one: between them nothing is known. */
const steps = uPlot.paths.stepped!({ align: 1 });

/** A canvas takes no CSS variable, so the theme is read when it is drawn. */
function colorsNow() {
  const root = getComputedStyle(document.documentElement);
  const color = (name: string): string => root.getPropertyValue(`--${name}`);
  return { soft: color("soft"), line: color("line"), fail: color("fail"), warn: color("warn") };
}

function optionsFor(width: number): uPlot.Options {
  const colors = colorsNow();
  const axis = {
    stroke: colors.soft,
    grid: { stroke: colors.line, width: 1 },
    ticks: { stroke: colors.line, width: 1 },
  };
  const line = (label: string, stroke: string): uPlot.Series => ({
    label,
    stroke,
    width: 2,
    paths: steps,
    points: { show: true, size: 6, fill: stroke },
  });
  return {
    width,
    height,
    scales: {
      y: { range: (_plot, _low, high) => [0, Math.max(4, Math.ceil(high * 1.15))] },
      level: { range: [0, 3.2] },
    },
    axes: [
      { ...axis, space: 100, values: (_plot, seconds) => momentsOf(seconds) },
      { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200] },
      {
        ...axis,
        scale: "level",
        side: 1,
        size: 120,
        grid: { show: false },
        incrs: [1],
        values: (_plot, levels) => levels.map(levelName),
      },
    ],
    series: [
      {},
      line("broken rules", colors.fail),
      line("warnings", colors.warn),
      { ...line("level", colors.soft), scale: "level", dash: [2, 4] },
    ],
    legend: { live: false },
    cursor: { points: { size: 8 } },
  };
}

const levelName = (height: number): string => conformanceLevels[3 - height] ?? "";

/** As long as there is one day: the time; else the date, too. */
function momentsOf(seconds: readonly number[]): string[] {
  const moments = seconds.map((each) => new Date(each * 1_000).toISOString());
  const isOneDay = new Set(moments.map((moment) => moment.slice(0, 10))).size === 1;
  return moments.map((moment) => (isOneDay ? moment.slice(11, 19) : `${moment.slice(5, 10)} ${moment.slice(11, 16)}`));
}
