import type { IncomingHttpHeaders } from "node:http";

/** A span of a trace. */
export interface TraceSpan {
  readonly traceId: string;
  rename(name: string): void;
  set(attributes: Readonly<Record<string, string | number>>): void;
  /** Marks it as failed, with a fixed text and never the words of a client or an agent. */
  failed(why: string): void;
  end(): void;
}

/** Traces by W3C Trace Context. Without tracing there is no such object and no cost. */
export interface Tracing {
  /** Starts a span below the current one; for an incoming request, below the one in its headers. */
  begin(name: string, kind: "server" | "internal" | "client", from?: IncomingHttpHeaders): TraceSpan;
  /** Makes this the current span during the work, also in what the work leaves running. */
  within<T>(span: TraceSpan, work: () => T): T;
  /** Returns the headers of an outgoing request, so that remote spans are below the current one. */
  headers(): readonly (readonly [string, string])[];
  /** Sends ended spans that were not sent yet. */
  flush(): Promise<void>;
  /** Flushes for the last time. */
  close(): Promise<void>;
}

/** Runs work within a span that ends with it. */
export async function traced<T>(
  tracing: Tracing,
  name: string,
  kind: "internal" | "client",
  work: (span: TraceSpan) => Promise<T>,
): Promise<T> {
  const span = tracing.begin(name, kind);
  try {
    return await tracing.within(span, () => work(span));
  } catch (error) {
    span.failed(error instanceof Error ? error.name : "thrown");
    throw error;
  } finally {
    span.end();
  }
}
