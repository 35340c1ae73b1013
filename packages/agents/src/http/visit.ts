import type { A2AError, Operation } from "@assay/protocol";
import { asProtocolError } from "./failure.ts";
import type { Metrics } from "./metrics.ts";

/** What one request needs to know of its surroundings, and what is noted of it for the metrics. */
export class Visit {
  readonly baseUrl: string;
  /** headers of every answer, such as those for browsers */
  readonly headers: Readonly<Record<string, string>>;
  readonly #agent: string;
  readonly #binding: string;
  readonly #log: VisitLog;
  operation: Operation | undefined;

  constructor(
    agent: string,
    binding: string,
    baseUrl: string,
    headers: Readonly<Record<string, string>>,
    log: VisitLog,
  ) {
    this.baseUrl = baseUrl;
    this.headers = headers;
    this.#agent = agent;
    this.#binding = binding;
    this.#log = log;
  }

  /** Whatever was thrown, as the client may see it; what is our own fault is told to the operator. */
  failed(thrown: unknown): A2AError {
    const error = asProtocolError(thrown, this.#log.report);
    const labels = {
      agent: this.#agent,
      binding: this.#binding,
      operation: this.operation ?? "none",
      error: error.kind,
    };
    this.#log.metrics.count("assay_errors_total", labels);
    return error;
  }
}

/** Where visits are noted. */
export interface VisitLog {
  readonly metrics: Metrics;
  readonly report: (error: unknown) => void;
}
