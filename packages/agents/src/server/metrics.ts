/** An agent as the counters name it: mutants and variants are too many to be counted one by one. */
export const agentLabel = (path: string): string => path.split("/", 1)[0]!;

/** Counters in the text format of Prometheus. */
export class Metrics {
  readonly #counters = new Map<string, number>();
  readonly #gauges: Record<string, () => number>;
  /** streams of events that are being sent, over all bindings */
  streams = 0;

  constructor(gauges: Record<string, () => number>) {
    this.#gauges = gauges;
  }

  /** Labels come from our own tables, never from a request, so their number is bounded. */
  count(name: string, labels: Record<string, string>): void {
    const text = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const key = `${name}{${text.join(",")}}`;
    this.#counters.set(key, (this.#counters.get(key) ?? 0) + 1);
  }

  print(): string {
    const names = new Set([...this.#counters.keys()].map((key) => key.slice(0, key.indexOf("{"))));
    const counters = [...names]
      .sort()
      .flatMap((name) => [
        `# TYPE ${name} counter`,
        ...[...this.#counters].filter(([key]) => key.startsWith(`${name}{`)).map(([key, value]) => `${key} ${value}`),
      ]);
    const gauges = Object.entries(this.#gauges).flatMap(([name, read]) => [
      `# TYPE ${name} gauge`,
      `${name} ${read()}`,
    ]);
    return `${[...counters, ...gauges].join("\n")}\n`;
  }
}
