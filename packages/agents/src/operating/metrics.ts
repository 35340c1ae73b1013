import { type CounterName, counters, type GaugeName, gauges, type HistogramName, histograms } from "./families.ts";
import { Histogram } from "./histogram.ts";

/** An agent as the counters name it: mutants and variants, and agents in another version, are too many to be counted one by one. */
export const agentLabel = (path: string): string => path.split(/[/@]/, 1)[0]!;

type Labels = Readonly<Record<string, string>>;

/** One value of a gauge that has several. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

type Reading = number | readonly Sample[];

/** What is read when it is asked for; where that fails, there is none this time. */
export type Gauges = Partial<Record<GaugeName, () => Reading | Promise<Reading>>>;

/** Counters, histograms and gauges in the text format of Prometheus. Labels come from our own tables, never from a request, so their number is bounded. */
export class Metrics {
  readonly #counted = new Map<CounterName, Map<string, number>>();
  readonly #measured = new Map<HistogramName, Map<string, Histogram>>();
  readonly #levels = new Map<GaugeName, Map<string, number>>();
  readonly #gauges: Gauges;

  constructor(read: Gauges) {
    this.#gauges = read;
  }

  count(name: CounterName, labels: Labels): void {
    add(this.#counted, name, labels, 1);
  }

  /** A gauge that goes up and down. */
  change(name: GaugeName, labels: Labels, by: 1 | -1): void {
    add(this.#levels, name, labels, by);
  }

  measure(name: HistogramName, labels: Labels, seconds: number): void {
    const series = entry(this.#measured, name);
    const key = written(labels);
    const histogram = series.get(key) ?? new Histogram();
    series.set(key, histogram);
    histogram.add(seconds);
  }

  /** How high a gauge that goes up and down stands, all its labels together. */
  level(name: GaugeName): number {
    return [...entry(this.#levels, name).values()].reduce((all, value) => all + value, 0);
  }

  async print(): Promise<string> {
    const lines: string[] = [];
    for (const [name, series] of byName(this.#counted)) {
      lines.push(...headOf(name, "counter", counters[name]));
      for (const [labels, value] of series) lines.push(line(name, labels, value));
    }
    for (const [name, series] of byName(this.#measured)) {
      lines.push(...headOf(name, "histogram", histograms[name]));
      for (const [labels, histogram] of series) lines.push(...histogramLines(name, labels, histogram));
    }
    for (const [name, series] of byName(await this.#readings())) {
      // Node counts processor time from its start, as a counter does.
      lines.push(...headOf(name, name.endsWith("_total") ? "counter" : "gauge", gauges[name]));
      for (const [labels, value] of series) lines.push(line(name, labels, value));
    }
    return `${lines.join("\n")}\n`;
  }

  async #readings(): Promise<Map<GaugeName, Map<string, number>>> {
    const all = new Map(this.#levels);
    // The names of an object literal are those of its type.
    for (const [name, read] of Object.entries(this.#gauges) as [GaugeName, () => Reading | Promise<Reading>][]) {
      const reading = await Promise.resolve(read()).catch(() => undefined);
      if (reading === undefined) continue;
      const samples = typeof reading === "number" ? [{ labels: {}, value: reading }] : reading;
      all.set(name, new Map(samples.map(({ labels, value }) => [written(labels), value])));
    }
    return all;
  }
}

const byName = <N extends string, S>(families: ReadonlyMap<N, S>): [N, S][] =>
  [...families].sort(([one], [two]) => (one < two ? -1 : 1));

function entry<N, V>(families: Map<N, Map<string, V>>, name: N): Map<string, V> {
  const series = families.get(name) ?? new Map<string, V>();
  families.set(name, series);
  return series;
}

function add<N>(families: Map<N, Map<string, number>>, name: N, labels: Labels, by: number): void {
  const series = entry(families, name);
  const key = written(labels);
  series.set(key, (series.get(key) ?? 0) + by);
}

/** Labels as they stand between the braces. */
function written(labels: Labels): string {
  let text = "";
  for (const name in labels) text += `${text && ","}${name}="${escaped(labels[name]!)}"`;
  return text;
}

const escaped = (value: string): string =>
  /[\\"\n]/.test(value) ? value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n") : value;

const headOf = (name: string, type: string, help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

const line = (name: string, labels: string, value: number): string => `${name}${labels && `{${labels}}`} ${value}`;

function histogramLines(name: string, labels: string, histogram: Histogram): string[] {
  const before = labels && `${labels},`;
  return [
    ...histogram.cumulative().map(([bound, count]) => line(`${name}_bucket`, `${before}le="${bound}"`, count)),
    line(`${name}_sum`, labels, histogram.sum),
    line(`${name}_count`, labels, histogram.count),
  ];
}
