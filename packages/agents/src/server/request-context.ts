import type { A2AError, Operation } from "@assay/protocol";
import type { CodecContext } from "../definition/layers.ts";
import { agentLabel, type Metrics } from "../operating/metrics.ts";
import type { RequestMeter } from "../operating/request-meter.ts";
import { currentRequest, type RequestScope } from "../operating/request-scope.ts";
import { asProtocolError } from "./failure.ts";
import type { ServedAgent } from "./served-agent.ts";

/** The context of one request besides the request itself. */
export class RequestContext {
  /** the target agent; over gRPC the tenant may still name another one */
  host: ServedAgent;
  readonly binding: CodecContext["binding"];
  readonly baseUrl: string;
  /** headers of every response, such as those for browsers */
  readonly headers: Readonly<Record<string, string>>;
  /** set as soon as it is known */
  operation: Operation | undefined;
  readonly #log: RequestLog;
  readonly #began = performance.now();
  #isSettled = false;

  constructor(
    host: ServedAgent,
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

  /**
   * Converts a thrown error for the client. It counts the error, and reports an internal one to the operator.
   */
  failed(thrown: unknown): A2AError {
    const error = asProtocolError(thrown, this.#log.report);
    this.#log.metrics.count("assay_errors_total", { ...this.#labels, error: error.kind });
    this.#settle(error.kind);
    return error;
  }

  /** Records that the response is sent, or that its stream is open. */
  succeeded(): void {
    this.#settle("ok");
  }

  /** Records an open event stream; call the result when it ends. */
  streaming(): () => void {
    const open = this.#log.requests.streams(this.host.definition.path, this.binding);
    open.value++;
    return () => void open.value--;
  }

  /** A stream that breaks off was counted when it was opened. */
  #settle(outcome: string): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const seconds = (performance.now() - this.#began) / 1_000;
    this.#log.requests.add(this.host.definition.path, this.binding, this.operation ?? "none", outcome, seconds);
    const request = currentRequest();
    if (request) tellScope(request, { ...this.#labels, outcome });
  }

  get #labels() {
    const { path } = this.host.definition;
    return { agent: agentLabel(path), binding: this.binding, operation: this.operation ?? "none" };
  }
}

/** Counts and reports the errors of requests. */
export interface RequestLog {
  readonly metrics: Metrics;
  readonly requests: RequestMeter;
  readonly report: (error: unknown) => void;
}

/** Adds facts about the request to its log lines and spans. */
function tellScope(scope: RequestScope, known: Record<"agent" | "binding" | "operation" | "outcome", string>): void {
  Object.assign(scope, known);
  const { agent, binding, operation, outcome } = known;
  const { span } = scope;
  span?.rename(operation === "none" ? "A2A" : operation);
  span?.set({ "a2a.agent": agent, "a2a.binding": binding, "a2a.operation": operation, "a2a.outcome": outcome });
  if (outcome !== "ok") span?.failed(outcome);
}
