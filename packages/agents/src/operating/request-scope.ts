import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { TraceSpan } from "./tracing.ts";

/** The request that is being worked on: what lines about it have in common. */
export interface RequestScope {
  /** by which its client, and servers before us, may know it */
  readonly requestId: string;
  readonly traceId?: string;
  readonly span?: TraceSpan;
  /** what is known of it as it goes on */
  agent?: string;
  binding?: string;
  operation?: string;
  /** "ok", or the name of the error it was answered with */
  outcome?: string;
}

/** Costs something with every promise: it is used only where requests are logged or traced. */
const scopes = new AsyncLocalStorage<RequestScope>();

export const withinRequest = <T>(scope: RequestScope, work: () => T): T => scopes.run(scope, work);

export const currentRequest = (): RequestScope | undefined => scopes.getStore();

const header = "x-request-id";
/** Short, and nothing in it that a log, a header or a shell could take for more than a name. */
const isWellFormed = /^[A-Za-z0-9_.:-]{1,128}$/;

/** The id that the client gave, if it can be one; else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers[header];
  return typeof given === "string" && isWellFormed.test(given) ? given : randomUUID();
}
