import type { AddressInfo, Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { whenAwakeFor } from "../awake-timer.ts";
import type { GrpcHandler } from "../grpc/call.ts";
import { Connections } from "./connections.ts";
import type { ServerContext } from "./context.ts";
import { createFront, type TlsOptions } from "./front.ts";
import type { Handler } from "./handler.ts";
import { reachableHost } from "./host-check.ts";
import type { Http2Side } from "./http2-side.ts";
import { LargeTurns } from "./large-turns.ts";
import { Ledger } from "./ledger.ts";
import { defaultLimits, type ServerLimits } from "./limits.ts";
import { OpenStreams } from "./open-streams.ts";
import { Outbox } from "./outbox.ts";
import { looksLikeHttp2 } from "./preface.ts";
import { Queue, type Queued } from "./queue.ts";
import { refuse, refuseHttp2 } from "./refuse.ts";
import type { ServedRecorder } from "./served-recorder.ts";
import { createWeb } from "./web.ts";
import { WireError } from "./wire-error.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly handler: Handler;
  /** handles gRPC on the same port */
  readonly grpc?: GrpcHandler;
  readonly tls?: TlsOptions;
  readonly limits?: Partial<ServerLimits>;
  /** limits bytes in transit, together with other charges on the ledger (default: no limits) */
  readonly ledger?: Ledger;
  /** sends responses of one event loop turn together at its end (outbox.ts) (default: true) */
  readonly answersTogether?: boolean;
  /** records traffic: every byte of HTTP/1.1, every frame payload of HTTP/2 */
  readonly recorder?: ServedRecorder;
  /** Gets errors of handlers; clients only see that something failed. */
  onInternalError?(error: unknown): void;
}

/** Wait of a retiring server for requests that were already on their way. */
const lastCallMs = 250;

/** A socket that is open, in whatever state. */
interface Accepted extends Queued<Accepted> {
  readonly socket: Socket;
}

export interface WireServer {
  readonly port: number;
  /** The address for clients on this machine. */
  readonly url: string;
  readonly connections: number;
  /**
   * Asks clients to go elsewhere but still serves them: each response is the last on its connection, and HTTP/2 sends
   * GOAWAY. Use it until load balancers have noticed.
   */
  retire(): void;
  /**
   * Stops accepting, closes idle connections, finishes current responses and ends streams, after `worked` if it is
   * given. An SSE stream just ends, a gRPC stream ends as UNAVAILABLE. Destroys the rest after `graceMs` (default: 5
   * s). Calling it again returns the same promise.
   */
  close(graceMs?: number, worked?: Promise<unknown>): Promise<void>;
}

export async function listen(options: ListenOptions): Promise<WireServer> {
  const context = contextOf(options);
  const { limits, secure } = context;
  const connections = new Connections(limits.requestsPerConnection);
  const web = createWeb(options.handler, context, connections);
  let http2: Promise<Http2Side> | undefined;
  /** Loads HTTP/2 with its first connection, because most servers never need it. */
  const http2Side = (): Promise<Http2Side> => {
    http2 ??= import("./http2-side.ts").then(({ createHttp2Side }) => createHttp2Side(options, context));
    return http2;
  };
  /** Detects the protocol: the client names it in the TLS handshake, or shows it with its first bytes. */
  const welcome = (socket: Socket): void => {
    const speak = (isHttp2: boolean): void => {
      if (isHttp2) handOver(socket, connections, http2Side);
      else {
        web.emit("connection", socket);
        options.recorder?.listenTo(socket);
      }
    };
    if (secure) speak(choseHttp2(socket));
    else looksLikeHttp2(socket, limits.headersTimeoutMs / 2, speak);
  };
  const front = await createFront(options.tls, limits, (socket: Socket) => {
    // The handshake ended after close() began.
    if (context.draining) socket.destroy();
    else if (connections.size >= limits.connections) {
      if (secure && choseHttp2(socket)) refuseHttp2(socket.resume(), limits.lingerMs);
      else refuse(socket.resume(), 503, "Too many connections are open; try again later.", limits.lingerMs);
    } else {
      connections.add(socket);
      welcome(socket);
    }
  });
  // Includes sockets that are still in the handshake or were rejected.
  const accepted = new Queue<Accepted>();
  front.on("connection", (socket: Socket) => {
    const connection: Accepted = { socket, ahead: undefined, behind: undefined };
    accepted.add(connection);
    socket.on("close", () => accepted.delete(connection));
  });

  const address = await bind(front, options.host, options.port);
  let closing: Promise<void> | undefined;

  const close = async (graceMs: number, worked?: Promise<unknown>): Promise<void> => {
    const closed = new Promise<void>((resolve) => front.close(() => resolve()));
    context.draining = true;
    const drained = connections.drain(context.retiring ? Math.min(lastCallMs, graceMs) : 0);
    void http2?.then((side) => side.retire());
    if (worked) {
      await worked;
      // Let clients that just learned of finished work open their stream first.
      await new Promise(setImmediate);
    }
    context.ending = true;
    context.streams.shutDown();
    void http2?.then((side) => side.drain());
    // On a busy machine a plain timer would cut off responses that the process had no time to write.
    const stopWaiting = whenAwakeFor(graceMs, () => {
      connections.destroy();
      for (const { socket } of accepted) socket.destroy();
    });
    await Promise.all([closed, drained]);
    stopWaiting();
    // Only now, because it would also cut complete responses that are not on the wire yet. It stops Node's timeout
    // checks.
    web.close();
  };

  return {
    port: address.port,
    url: `${secure ? "https" : "http"}://${reachableHost(address)}:${address.port}`,
    get connections() {
      return connections.size;
    },
    retire() {
      context.retiring = true;
      void http2?.then((side) => side.retire());
    },
    close: (graceMs = 5_000, worked?: Promise<unknown>) => (closing ??= close(graceMs, worked)),
  };
}

const contextOf = (options: ListenOptions, limits = { ...defaultLimits, ...options.limits }): ServerContext => ({
  limits,
  secure: options.tls !== undefined,
  onInternalError: (error) => options.onInternalError?.(error),
  streams: new OpenStreams(limits.silenceMs),
  outbox: new Outbox(options.answersTogether ?? true),
  large: new LargeTurns(),
  ledger: options.ledger ?? new Ledger({ total: Number.POSITIVE_INFINITY, caller: Number.POSITIVE_INFINITY }),
  recorder: options.recorder,
  retiring: false,
  draining: false,
  ending: false,
});

/** Returns true if the client chose HTTP/2 in the TLS handshake. */
const choseHttp2 = (socket: Socket): boolean => (socket as TLSSocket).alpnProtocol === "h2";

function handOver(socket: Socket, connections: Connections, http2Side: () => Promise<Http2Side>): void {
  connections.lease(socket);
  // Errors before the handover do not matter.
  const broken = () => {};
  socket.on("error", broken);
  void http2Side().then((side) => {
    socket.off("error", broken);
    if (!socket.destroyed) side.take(socket);
  });
}

function bind(front: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    front.once("error", (error) =>
      reject(
        new WireError("cannot-listen", `cannot listen on ${host} port ${port}: ${error.message}`, { cause: error }),
      ),
    );
    // The address of a TCP server is never a string, unlike that of a pipe.
    front.listen(port, host, () => resolve(front.address() as AddressInfo));
  });
}
