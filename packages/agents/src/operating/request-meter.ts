import type { Histogram } from "./histogram.ts";
import { agentLabel, type Metrics } from "./metrics.ts";

/** The metrics of one kind of request. */
interface RequestSeries {
  readonly duration: Histogram;
  readonly outcomes: Map<string, { value: number }>;
}

/**
 * Counts and times requests. Labels are formatted once per kind of request: for every request, that would
 * cost a tenth of a small one.
 */
export class RequestMeter {
  readonly #metrics: Metrics;
  /** by agent, then by binding and operation; bounded by the number of built agents */
  readonly #agents = new Map<string, Map<string, Map<string, RequestSeries>>>();

  /** open streams, by agent, then by binding */
  readonly #streams = new Map<string, Map<string, { value: number }>>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  add(path: string, binding: string, operation: string, outcome: string, seconds: number): void {
    const series = this.#agents.get(path)?.get(binding)?.get(operation) ?? this.#make(path, binding, operation);
    series.duration.add(seconds);
    const counted = series.outcomes.get(outcome);
    if (counted) counted.value++;
    else {
      const labels = { agent: agentLabel(path), binding, operation, outcome };
      const counter = this.#metrics.counter("assay_requests_total", labels);
      counter.value++;
      series.outcomes.set(outcome, counter);
    }
  }

  /** Returns the number of open streams of an agent, to be changed by its streams. */
  streams(path: string, binding: string): { value: number } {
    const bindings = this.#streams.get(path) ?? new Map<string, { value: number }>();
    this.#streams.set(path, bindings);
    const known = bindings.get(binding);
    if (known) return known;
    const level = this.#metrics.gauge("assay_streams_by_agent", { agent: agentLabel(path), binding });
    bindings.set(binding, level);
    return level;
  }

  #make(path: string, binding: string, operation: string): RequestSeries {
    const bindings = this.#agents.get(path) ?? new Map<string, Map<string, RequestSeries>>();
    this.#agents.set(path, bindings);
    const operations = bindings.get(binding) ?? new Map<string, RequestSeries>();
    bindings.set(binding, operations);
    const labels = { agent: agentLabel(path), binding, operation };
    const duration = this.#metrics.histogram("assay_request_duration_seconds", labels);
    const series = { duration, outcomes: new Map<string, { value: number }>() };
    operations.set(operation, series);
    return series;
  }
}
