import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { TraceSpan } from "./tracing.ts";

/** The current request: facts that its log lines share. */
export interface RequestScope {
  /** the id that its client and earlier servers may know */
  readonly requestId: string;
  readonly traceId?: string;
  readonly span?: TraceSpan;
  /** facts added while it is processed */
  agent?: string;
  binding?: string;
  operation?: string;
  /** "ok", or the name of the returned error */
  outcome?: string;
}

/** Adds a cost to every promise, so it is used only if requests are logged or traced. */
const scopes = new AsyncLocalStorage<RequestScope>();

export const withinRequest = <T>(scope: RequestScope, work: () => T): T => scopes.run(scope, work);

export const currentRequest = (): RequestScope | undefined => scopes.getStore();

const header = "x-request-id";
/** Short, and safe as a name in a log, a header or a shell. */
const isWellFormed = /^[A-Za-z0-9_.:-]{1,128}$/;

/** Returns the client's id if it is valid, otherwise a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers[header];
  return typeof given === "string" && isWellFormed.test(given) ? given : randomUUID();
}
