import { Histogram } from "./histogram.ts";

/** The metrics with their help texts for /metrics. A name that is not here is not printed. */
const counters = {
  assay_requests_total: "Requests by agent, binding, operation and outcome: ok, or the name of the returned error.",
  assay_errors_total: "Errors returned to requests, or that broke off a stream.",
  assay_skill_errors_total: "Skills that threw an internal error.",
  assay_push_total: "Push notification attempts by outcome, including attempts that are retried.",
} as const;

const histograms = {
  assay_request_duration_seconds:
    "Time from receiving a request's headers to its response, or to the start of its stream.",
  assay_store_duration_seconds: "Database time of one operation on tasks.",
} as const;

const gauges = {
  assay_streams: "Event streams that are open.",
  assay_streams_by_agent: "Event streams that are open, by agent and binding.",
  assay_tasks: "Tasks in the store.",
  assay_tasks_by_state: "Tasks in the store, by state.",
  assay_connections: "Open connections.",
  assay_held_bytes: "Memory held for clients: tasks, webhooks, bodies, responses.",
  assay_agents: "Agents created so far.",
  assay_build_info: "Always 1. The labels give the versions of Assay and of Node.",
  process_resident_memory_bytes: "Resident memory of the process.",
  process_heap_bytes: "Heap in use.",
  process_cpu_seconds_total: "Processor time of the process, user and system.",
  process_start_time_seconds: "Start time of the process, in seconds since 1970.",
  nodejs_eventloop_lag_p50_seconds: "Median delay of the event loop since the last reading.",
  nodejs_eventloop_lag_p99_seconds: "99th percentile of the event loop delay since the last reading.",
  nodejs_eventloop_lag_max_seconds: "Maximum delay of the event loop since the last reading.",
} as const;

type CounterName = keyof typeof counters;
type HistogramName = keyof typeof histograms;
type GaugeName = keyof typeof gauges;

/**
 * Returns the agent label. Mutants, variants and agents in another version share a label, because they are
 * too many.
 */
export const agentLabel = (path: string): string => path.split(/[/@]/, 1)[0]!;

type Labels = Readonly<Record<string, string>>;

/** One value of a gauge that has several. */
interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** A number that goes up, or up and down. */
interface Level {
  value: number;
}

type Reading = number | readonly Sample[];

/** Gauges that are read on request; a failed reading is skipped. */
export type Gauges = Partial<Record<GaugeName, () => Reading | Promise<Reading>>>;

/**
 * Counters, histograms and gauges in the Prometheus text format. Labels come from fixed tables, never from a
 * request, so their number is bounded.
 */
export class Metrics {
  readonly #counted = new Map<CounterName, Map<string, Level>>();
  readonly #measured = new Map<HistogramName, Map<string, Histogram>>();
  readonly #levels = new Map<GaugeName, Map<string, Level>>();
  readonly #gauges: Gauges;

  constructor(read: Gauges) {
    this.#gauges = read;
  }

  count(name: CounterName, labels: Labels): void {
    this.counter(name, labels).value++;
  }

  /** Returns one counter for repeated use, because the lookup costs more than counting. */
  counter(name: CounterName, labels: Labels): Level {
    return series(this.#counted, name, labels, () => ({ value: 0 }));
  }

  /** Returns a gauge that goes up and down. */
  gauge(name: GaugeName, labels: Labels): Level {
    return series(this.#levels, name, labels, () => ({ value: 0 }));
  }

  measure(name: HistogramName, labels: Labels, seconds: number): void {
    this.histogram(name, labels).add(seconds);
  }

  /** Returns one histogram for repeated use. */
  histogram(name: HistogramName, labels: Labels): Histogram {
    return series(this.#measured, name, labels, () => new Histogram());
  }

  /** Returns the sum of an up-down gauge over all its labels. */
  level(name: GaugeName): number {
    return [...(this.#levels.get(name)?.values() ?? [])].reduce((all, { value }) => all + value, 0);
  }

  async print(): Promise<string> {
    const lines: string[] = [];
    for (const [name, counted] of byName(this.#counted)) {
      lines.push(...headOf(name, "counter", counters[name]));
      for (const [labels, { value }] of counted) lines.push(line(name, labels, value));
    }
    for (const [name, measured] of byName(this.#measured)) {
      lines.push(...headOf(name, "histogram", histograms[name]));
      for (const [labels, histogram] of measured) lines.push(...histogramLines(name, labels, histogram));
    }
    for (const [name, read] of byName(await this.#readings())) {
      // Node's processor time counts from its start, so it is a counter.
      lines.push(...headOf(name, name.endsWith("_total") ? "counter" : "gauge", gauges[name]));
      for (const [labels, { value }] of read) lines.push(line(name, labels, value));
    }
    return `${lines.join("\n")}\n`;
  }

  async #readings(): Promise<Map<GaugeName, Map<string, Level>>> {
    const all = new Map(this.#levels);
    // The names of an object literal are those of its type.
    for (const [name, read] of Object.entries(this.#gauges) as [GaugeName, () => Reading | Promise<Reading>][]) {
      const reading = await Promise.resolve(read()).catch(() => undefined);
      if (reading === undefined) continue;
      const samples = typeof reading === "number" ? [{ labels: {}, value: reading }] : reading;
      all.set(name, new Map(samples.map(({ labels, value }) => [written(labels), { value }])));
    }
    return all;
  }
}

const byName = <N extends string, S>(families: ReadonlyMap<N, S>): [N, S][] =>
  [...families].sort(([one], [two]) => (one < two ? -1 : 1));

/** Returns the entry of a family with these labels; created on first use. */
function series<N, V>(families: Map<N, Map<string, V>>, name: N, labels: Labels, make: () => V): V {
  const family = families.get(name) ?? new Map<string, V>();
  families.set(name, family);
  const key = written(labels);
  const found = family.get(key) ?? make();
  family.set(key, found);
  return found;
}

/** Formats labels as they appear between the braces. */
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
