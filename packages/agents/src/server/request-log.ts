import type { GrpcHandler, Handler } from "@assay/wire/server";

/** A request that was served, for those who watch. */
export interface LoggedRequest {
  /** "POST", or "gRPC" */
  readonly method: string;
  readonly path: string;
  /** the HTTP status; over gRPC that of the stream: whether it was cut off */
  readonly status: string;
  /** until its last byte, or until its client was gone */
  readonly ms: number;
  readonly from: string;
}

/** HTTP/2's own code for "nothing went wrong" (RFC 9113 §7). */
const noError = 0;

type Note = (request: LoggedRequest) => void;

/** The same handler; every request is told when it is over, a stream with its end. */
export const logged =
  (handler: Handler, note: Note): Handler =>
  (request, reply) => {
    const { method, path, remoteAddress: from } = request;
    const began = performance.now();
    reply.raw.once("close", () => {
      const { statusCode, writableFinished } = reply.raw;
      note({
        method,
        path,
        status: writableFinished ? String(statusCode) : `${statusCode}, cut off`,
        ms: performance.now() - began,
        from,
      });
    });
    return handler(request, reply);
  };

export const loggedGrpc =
  (handler: GrpcHandler, note: Note): GrpcHandler =>
  (call) => {
    const { path, remoteAddress: from, raw } = call;
    const began = performance.now();
    raw.once("close", () => {
      const isWhole = raw.rstCode === noError;
      note({ method: "gRPC", path, status: isWhole ? "served" : "cut off", ms: performance.now() - began, from });
    });
    return handler(call);
  };
