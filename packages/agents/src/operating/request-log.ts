import type { IncomingHttpHeaders } from "node:http";
import type { GrpcHandler, Handler } from "@assay/wire/server";
import { type RequestScope, requestIdOf, withinRequest } from "./request-scope.ts";
import type { Tracing } from "./tracing.ts";

/** A completed request, for logging. */
export interface LoggedRequest extends Omit<RequestScope, "span"> {
  /** "POST", or "gRPC" */
  readonly method: string;
  readonly path: string;
  /** the HTTP status; over gRPC whether the stream was cut off */
  readonly status: string;
  /** until its last byte, or until its client disconnected */
  readonly ms: number;
  readonly from: string;
  /** the response was complete */
  readonly isWhole: boolean;
}

/** Observers of requests. */
export interface Watchers {
  readonly onServed?: ((request: LoggedRequest) => void) | undefined;
  readonly tracing?: Tracing | undefined;
}

/** HTTP/2's code for "no error" (RFC 9113 §7). */
const noError = 0;

/**
 * Wraps a handler: every request gets an id and a span, and is reported when it ends, a stream with its end.
 */
export function watched(handler: Handler, watchers: Watchers): Handler {
  if (!isWatched(watchers)) return handler;
  return (request, reply) => {
    const { method, path, remoteAddress: from, headers } = request;
    const watch = begin(`HTTP ${method}`, headers, watchers);
    reply.raw.setHeader("X-Request-Id", watch.scope.requestId);
    reply.raw.once("close", () => {
      const { statusCode, writableFinished: isWhole } = reply.raw;
      const status = isWhole ? String(statusCode) : `${statusCode}, cut off`;
      watch.end({ method, path, status, from, isWhole }, { "http.response.status_code": statusCode });
    });
    return watch.within(() => handler(request, reply));
  };
}

export function watchedGrpc(handler: GrpcHandler, watchers: Watchers): GrpcHandler {
  if (!isWatched(watchers)) return handler;
  return (call) => {
    const { path, remoteAddress: from, raw, headers } = call;
    const watch = begin("gRPC", headers, watchers);
    call.start({ "x-request-id": watch.scope.requestId });
    raw.once("close", () => {
      const isWhole = raw.rstCode === noError;
      const status = isWhole ? "served" : "cut off";
      watch.end({ method: "gRPC", path, status, from, isWhole }, { "rpc.system": "grpc" });
    });
    return watch.within(() => handler(call));
  };
}

const isWatched = ({ onServed, tracing }: Watchers): boolean => onServed !== undefined || tracing !== undefined;

function begin(name: string, headers: IncomingHttpHeaders, { onServed, tracing }: Watchers) {
  const began = performance.now();
  const span = tracing?.begin(name, "server", headers);
  const scope: RequestScope = { requestId: requestIdOf(headers), ...(span && { span, traceId: span.traceId }) };
  return {
    scope,
    within: <T>(work: () => T): T =>
      withinRequest(scope, () => (tracing && span ? tracing.within(span, work) : work())),
    end(
      request: Pick<LoggedRequest, "method" | "path" | "status" | "from" | "isWhole">,
      attributes: Record<string, string | number>,
    ): void {
      const { span: _span, ...known } = scope;
      onServed?.({ ...request, ...known, ms: performance.now() - began });
      if (!span) return;
      span.set({ ...attributes, "assay.request_id": scope.requestId });
      if (!request.isWhole) span.failed("cut off");
      span.end();
    },
  };
}
