import type { A2AError, Operation } from "@assay/protocol";
import type { CodecContext } from "../layers.ts";
import type { AgentHost } from "./agent-host.ts";
import { asProtocolError } from "./failure.ts";
import { agentLabel, type Metrics } from "./metrics.ts";

/** What the handling of one request knows besides the request itself. */
export class RequestContext {
  /** the agent that is asked; over gRPC the tenant may still name another one */
  host: AgentHost;
  readonly binding: CodecContext["binding"];
  readonly baseUrl: string;
  /** headers of every answer, such as those for browsers */
  readonly headers: Readonly<Record<string, string>>;
  /** as soon as it is known */
  operation: Operation | undefined;
  readonly #log: RequestLog;

  constructor(
    host: AgentHost,
    binding: CodecContext["binding"],
    baseUrl: string,
    headers: Readonly<Record<string, string>>,
    log: RequestLog,
  ) {
    this.host = host;
    this.binding = binding;
    this.baseUrl = baseUrl;
    this.headers = headers;
    this.#log = log;
  }

  get metrics(): Metrics {
    return this.#log.metrics;
  }

  /** What was thrown, as the client may see it: it is counted, and a fault of our own is reported to the operator. */
  failed(thrown: unknown): A2AError {
    const error = asProtocolError(thrown, this.#log.report);
    const labels = {
      agent: agentLabel(this.host.definition.path),
      binding: this.binding,
      operation: this.operation ?? "none",
      error: error.kind,
    };
    this.#log.metrics.count("assay_errors_total", labels);
    return error;
  }
}

/** Where the errors of requests are counted and reported. */
export interface RequestLog {
  readonly metrics: Metrics;
  readonly report: (error: unknown) => void;
}
