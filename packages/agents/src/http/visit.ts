import type { A2AError, Operation } from "@assay/protocol";

/** What one request needs to know of its surroundings, and what is noted of it for the metrics. */
export interface Visit {
  readonly baseUrl: string;
  /** headers of every answer, such as those for browsers */
  readonly headers: Readonly<Record<string, string>>;
  /** Tells the operator of an error of ours. */
  readonly report: (error: unknown) => void;
  operation: Operation | undefined;
  failed(error: A2AError): void;
}
