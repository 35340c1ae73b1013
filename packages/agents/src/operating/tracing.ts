import type { IncomingHttpHeaders } from "node:http";

/** A stretch of work in a trace. */
export interface TraceSpan {
  readonly traceId: string;
  rename(name: string): void;
  set(attributes: Readonly<Record<string, string | number>>): void;
  /** It went wrong: in a word of ours, never in those of a client or an agent. */
  failed(why: string): void;
  end(): void;
}

/** Traces by W3C Trace Context. Where none are wanted there is no such thing, and nothing is done for it. */
export interface Tracing {
  /** Begins a span below the one at work; a request that came in is below the one that its headers name. */
  begin(name: string, kind: "server" | "internal" | "client", from?: IncomingHttpHeaders): TraceSpan;
  /** While it works, this is the span at work, also in what it leaves running. */
  within<T>(span: TraceSpan, work: () => T): T;
  /** What a request to others takes along, so that their spans are below the one at work. */
  headers(): readonly (readonly [string, string])[];
  /** Sends what has ended and was not sent yet. */
  flush(): Promise<void>;
  /** The same, for the last time. */
  close(): Promise<void>;
}

/** Work with a span around it, which ends with it. */
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
