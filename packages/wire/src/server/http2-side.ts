import {
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import type { GrpcHandler } from "../grpc/call.ts";
import { ServerCall } from "../grpc/server-call.ts";
import { accountOf } from "./account.ts";
import type { ServerContext } from "./context.ts";
import type { Handler } from "./handler.ts";
import { Queue } from "./queue.ts";
import { ResetBudget } from "./reset-budget.ts";
import { headTooLarge, isHeadTooLarge, serveWebStream } from "./web-stream.ts";

const resourceExhausted = 8;
const internal = 13;

/** The HTTP/2 side of a server. It receives HTTP/2 connections and never listens itself. */
export interface Http2Side {
  take(socket: Socket): void;
  /** Asks clients to open no new streams (GOAWAY); current streams continue. */
  retire(): void;
  /** Finishes current calls, ends streams, and accepts no new ones. */
  drain(): void;
}

/** `grpc` handles gRPC, `handler` everything else. */
export interface Http2Handlers {
  readonly handler: Handler;
  readonly grpc?: GrpcHandler | undefined;
}

/** More than any caller may use: the ledger rejects first, with a response, across all connections of a caller. */
const sessionMegabytes = 2_048;

export function createHttp2Side({ handler, grpc }: Http2Handlers, context: ServerContext): Http2Side {
  const { limits } = context;
  const resets = new ResetBudget();
  /** open sessions, with their stream counts */
  const sessions = new Map<ServerHttp2Session, { open: number; begun: number }>();
  const calls = new Queue<ServerCall>();
  let isDraining = false;
  const server: Http2Server = createServer({
    maxHeaderListPairs: 100,
    maxSessionMemory: sessionMegabytes,
    // Node resets streams with larger headers; up to this size they get a response.
    settings: { maxConcurrentStreams: 256, maxHeaderListSize: 4 * limits.headerBytes },
  });
  server.on("session", (session) => {
    const streams = { open: 0, begun: 0 };
    sessions.set(session, streams);
    if (isDraining) session.close();
    session.once("close", () => sessions.delete(session));
    // Connections with waiting calls are kept; idle ones are closed.
    session.setTimeout(limits.requestTimeoutMs);
    session.on("timeout", () => {
      if (streams.open === 0) session.close();
    });
  });
  server.on("sessionError", () => {});
  // Node also passes the raw header list, which its types lack.
  server.on("stream", (stream, headers, _flags, ...[rawHeaders = []]: string[][]) => {
    context.recorder?.beginStream(stream, rawHeaders);
    const session = stream.session as ServerHttp2Session | undefined;
    const streams = session && sessions.get(session);
    let call: ServerCall | undefined;
    stream.on("close", () => {
      if (streams) streams.open -= 1;
      if (call) calls.delete(call);
    });
    if (streams) {
      streams.open += 1;
      streams.begun += 1;
      if (context.retiring || streams.begun === limits.requestsPerConnection) session.close();
    }
    stream.on("aborted", () => {
      const address = session?.socket?.remoteAddress ?? "";
      if (session && !session.destroyed && !resets.spend(accountOf(address))) session.destroy();
    });
    if (!grpc || !/^application\/grpc/i.test(headers["content-type"] ?? "")) {
      serveWebStream(stream, headers, rawHeaders, handler, context);
      return;
    }
    call = serveCall(stream, headers, rawHeaders, grpc, context);
    if (call) calls.add(call);
  });
  return {
    take(socket) {
      if (!resets.admits(accountOf(socket.remoteAddress ?? ""))) {
        socket.destroy();
        return;
      }
      // HTTP/2 has no half-closed connections: a client that closes its side is gone.
      socket.allowHalfOpen = false;
      server.emit("connection", socket.setNoDelay());
    },
    retire,
    drain() {
      isDraining = true;
      retire();
      for (const call of [...calls]) call.shutDown();
    },
  };

  function retire(): void {
    for (const session of sessions.keys()) session.close();
  }
}

/** Handles a gRPC call. Returns it, unless it is rejected. */
function serveCall(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  rawHeaders: string[],
  grpc: GrpcHandler,
  context: ServerContext,
): ServerCall | undefined {
  if (headers[":method"] !== "POST" || !isSpoken(headers["content-type"] ?? "")) {
    refuse(stream);
    return undefined;
  }
  const call = new ServerCall(stream, headers, context);
  if (isHeadTooLarge(rawHeaders, context.limits)) {
    call.end(resourceExhausted, headTooLarge);
    return undefined;
  }
  grpc(call).catch((error: unknown) => {
    context.onInternalError(error);
    call.end(internal, "the server failed to handle this call");
  });
  return call;
}

/** Returns true if this form of gRPC is supported. */
const isSpoken = (type: string): boolean =>
  type === "application/grpc" || /^application\/grpc(?:\+proto)?(?:;|$)/i.test(type);

/** Sends plain HTTP, as gRPC requires for an unsupported form. */
function refuse(stream: ServerHttp2Stream): void {
  // Broken streams are the client's problem; without this listener Node would exit.
  stream.on("error", () => {}).resume();
  // The client may already have reset it.
  if (stream.closed || stream.destroyed) return;
  stream.respond({ ":status": 415, "content-type": "application/json" });
  // Node has already ended the response to HEAD.
  if (stream.writable) stream.end(notSpoken);
}

const notSpoken =
  '{"error":{"code":415,"status":"INVALID_ARGUMENT","message":"This server supports only gRPC with POST and application/grpc."}}';
