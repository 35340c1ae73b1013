import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import { accountOf } from "../server/account.ts";
import type { ServerContext } from "../server/context.ts";
import type { GrpcHandler } from "./call.ts";
import { ResetBudget } from "./reset-budget.ts";
import { ServerCall } from "./server-call.ts";

const internal = 13;

/** The gRPC side of a server: it is handed connections that speak HTTP/2, and never listens itself. */
export interface GrpcSide {
  take(socket: Socket): void;
  /** Asks clients to open no new calls on the connections that are open (GOAWAY); those under way go on. */
  retire(): void;
  /** Finishes the calls under way, ends those that stream, and opens no new ones. */
  drain(): void;
}

export interface GrpcSideOptions
  extends Pick<ServerContext, "limits" | "secure" | "ledger" | "large" | "onInternalError" | "recorder"> {
  readonly handler: GrpcHandler;
}

export function createGrpcSide({ handler, onInternalError, ...context }: GrpcSideOptions): GrpcSide {
  const { limits } = context;
  const resets = new ResetBudget();
  /** open sessions, with the calls under way on each */
  const sessions = new Map<ServerHttp2Session, number>();
  const calls = new Set<ServerCall>();
  let isDraining = false;
  const server: Http2Server = createServer({
    maxHeaderListPairs: 100,
    maxSessionMemory: 32,
    settings: { maxConcurrentStreams: 256, maxHeaderListSize: limits.headerBytes },
  });
  server.on("session", (session) => {
    sessions.set(session, 0);
    if (isDraining) session.close();
    session.once("close", () => sessions.delete(session));
    // Calls that wait for something to happen keep their connection; an idle one may go.
    session.setTimeout(limits.requestTimeoutMs);
    session.on("timeout", () => {
      if (sessions.get(session) === 0) session.close();
    });
  });
  server.on("sessionError", () => {});
  const count = (session: ServerHttp2Session | undefined, change: number): void => {
    const calls = session && sessions.get(session);
    if (session && calls !== undefined) sessions.set(session, calls + change);
  };
  // Node hands over the header list as it came, too, which its types do not know.
  server.on("stream", (stream, headers, _flags, ...[rawHeaders]: string[][]) => {
    if (rawHeaders) context.recorder?.beginStream(stream, rawHeaders);
    const session = stream.session as ServerHttp2Session | undefined;
    count(session, 1);
    stream.once("close", () => count(session, -1));
    stream.once("aborted", () => {
      const address = session?.socket?.remoteAddress ?? "";
      if (session && !session.destroyed && !resets.spend(accountOf(address))) session.destroy();
    });
    const type = headers["content-type"] ?? "";
    if (headers[":method"] !== "POST" || !isGrpc(type)) {
      refuse(stream);
      return;
    }
    const call = new ServerCall(stream, headers, context);
    calls.add(call);
    stream.once("close", () => calls.delete(call));
    handler(call).catch((error: unknown) => {
      onInternalError(error);
      call.end(internal, "the server failed to handle this call");
    });
  });
  return {
    take(socket) {
      if (!resets.admits(accountOf(socket.remoteAddress ?? ""))) {
        socket.destroy();
        return;
      }
      // HTTP/2 has no use for half a connection: a client that closes its side is gone.
      socket.allowHalfOpen = false;
      server.emit("connection", socket.setNoDelay());
    },
    retire,
    drain() {
      isDraining = true;
      retire();
      for (const call of calls) call.shutDown();
    },
  };

  function retire(): void {
    for (const session of sessions.keys()) session.close();
  }
}

const isGrpc = (type: string): boolean =>
  type === "application/grpc" || /^application\/grpc(?:\+proto)?(?:;|$)/i.test(type);

/** The one answer gRPC prescribes for what is no gRPC: plain HTTP. */
function refuse(stream: ServerHttp2Stream): void {
  // A stream that breaks is the client's affair; without a listener it would be our end.
  stream.on("error", () => {}).resume();
  // The client may have reset it before we heard of it.
  if (stream.closed || stream.destroyed) return;
  stream.respond({ ":status": 415, "content-type": "application/json" });
  // Node has ended the answer to a HEAD already.
  if (stream.writable) stream.end(notGrpc);
}

const notGrpc =
  '{"error":{"code":415,"status":"INVALID_ARGUMENT","message":"Over HTTP/2 this server speaks gRPC (application/grpc) only."}}';
