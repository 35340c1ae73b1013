import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createClientErrorListener } from "./client-error.ts";
import type { Connections } from "./connections.ts";
import type { ServerContext } from "./context.ts";
import type { Handler } from "./handler.ts";
import { refuse } from "./refuse.ts";
import { ServedRequest } from "./served-request.ts";

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
