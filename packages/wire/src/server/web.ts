import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";
import type { ServerContext } from "./context.ts";
import type { Handler } from "./handler.ts";
import type { ServerLimits } from "./limits.ts";
import { refuse } from "./refuse.ts";
import { ServedRequest } from "./served-request.ts";
import { WireError, type WireErrorCode } from "./wire-error.ts";

interface Fault {
  readonly status: number;
  readonly message: string;
  /** The error for a handler that is reading the body. */
  readonly body: WireErrorCode;
}

const malformed: Fault = { status: 400, message: "This is not well-formed HTTP/1.1.", body: "body-malformed" };

const faults: Readonly<Record<string, Fault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive.", body: "body-timeout" },
  HPE_HEADER_OVERFLOW: { status: 431, message: "The request headers are too large.", body: "body-malformed" },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    message: "The chunk extensions are too large.",
    body: "body-too-large",
  },
  HPE_INVALID_EOF_STATE: { status: 400, message: "The request ended before it was complete.", body: "disconnected" },
};

/** Handles a connection on which Node's parser failed. */
function createClientErrorListener(connections: Connections, limits: ServerLimits) {
  // The parser reports an error again for every further packet.
  const given = new WeakSet<Socket>();

  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (given.has(socket)) return;
    given.add(socket);
    const code = error.code ?? "";
    const fault = faults[code] ?? (code.startsWith("HPE_") ? malformed : undefined);
    if (!fault || !socket.writable) {
      socket.destroy();
      return;
    }
    const refuseIt = () => refuse(socket, fault.status, fault.message, limits.lingerMs);
    const last = connections.latest(socket);
    if (!last) refuseIt();
    else if (last.message.complete) {
      // A broken request after a valid one: its rejection waits for its turn.
      last.response.once("close", refuseIt);
    } else if (last.response.headersSent) socket.destroy();
    else last.body.fail(new WireError(fault.body, fault.message));
  };
}

/** Serves HTTP/1.1 on the connections passed to it (`emit("connection", socket)`); does not listen itself. */
export function createWeb(handler: Handler, context: ServerContext, connections: Connections): Server {
  const { limits } = context;
  const web = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: Math.ceil(Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs) / 4),
    keepAliveTimeout: limits.keepAliveMs,
    requireHostHeader: false,
  });
  // Undocumented but old: without it a client that closes its sending side after the request gets no response.
  Object.assign(web, { httpAllowHalfOpen: true });

  const begin = (message: IncomingMessage, response: ServerResponse, invite?: () => void): ServedRequest => {
    const request = new ServedRequest(message, response, context, invite);
    connections.begin(request);
    context.recorder?.begin(message, response);
    return request;
  };

  // There is no "upgrade" listener on purpose: without one Node ignores the header, as RFC 9110 §7.8 allows. Clients
  // that offer h2c with every request (curl --http2, Java) then get an HTTP/1.1 response.
  web
    .on("request", (message, response) => begin(message, response).handle(handler))
    .on("checkContinue", (message, response) =>
      begin(message, response, () => response.writeContinue()).handle(handler),
    )
    .on("checkExpectation", (message, response) =>
      begin(message, response).refuse(417, 'This server supports only "Expect: 100-continue".'),
    )
    .on("connect", (_message, stream) => {
      // Node types it as any Duplex; here it is always a socket.
      refuse((stream as Socket).resume(), 405, "This server is not a proxy.", limits.lingerMs);
    })
    .on("clientError", createClientErrorListener(connections, limits));

  // Node enforces headersTimeout and requestTimeout only after the server listens, which this one never does.
  web.emit("listening");
  return web;
}
