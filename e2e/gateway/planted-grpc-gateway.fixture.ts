import { once } from "node:events";
import { connect, constants, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer, type Socket } from "node:net";
import { type Gateway, startTcpProxy } from "./planted-gateway.fixture.ts";

/** What a gateway does wrong over HTTP/2, with the properties that it breaks. */
export const grpcFaults = {
  "drops-metadata": ["GW-GRPC-METADATA"],
  "drops-trailers": ["GW-GRPC-TRAILERS"],
  "drops-details": ["GW-GRPC-DETAILS"],
  "changes-grpc-status": ["GW-GRPC-STATUS", "GW-GRPC-TRAILERS"],
  "changes-requests": ["GW-GRPC-REQUEST"],
  "changes-messages": ["GW-GRPC-ANSWER"],
  "buffers-messages": ["GW-GRPC-TIMING", "GW-STREAM-HTTP2"],
  "ignores-cancellations": ["GW-GRPC-DISCONNECT"],
  "rejects-grpc": ["GW-GRPC-CALL"],
  "rejects-grpc-streams": [
    "GW-GRPC-DISCONNECT not-examined: the gateway ended the call with grpc-status 14",
    "GW-GRPC-TIMING",
    "GW-GRPC-TRAILERS",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type GrpcFault = keyof typeof grpcFaults;
/** A gateway that writes to a client without reading from it cancels a call with the next message. */
type GrpcBehaviour = GrpcFault | "cancels-late" | undefined;

/** Starts a gateway that breaks one thing over HTTP/2, and is a TCP proxy for HTTP/1.1 on the same port. */
export async function startFaultyGrpcGateway(upstreamPort: number, fault: GrpcBehaviour): Promise<Gateway> {
  const rest = await startTcpProxy(upstreamPort);
  const http2 = createServer();
  http2.on("stream", (stream, headers) => pass(stream, headers, upstreamPort, fault));
  const sockets = new Set<Socket>();
  const front = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.once("readable", () => {
      const first = (socket.read() as Buffer | null) ?? Buffer.alloc(0);
      socket.unshift(first);
      if (first.toString("latin1").startsWith("PRI")) http2.emit("connection", socket);
      else pipeTo(Number(new URL(rest.url).port), socket);
    });
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  const { port } = front.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    grpc: `127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => front.close(resolve));
      await rest.close();
    },
  };
}

function pipeTo(port: number, client: Socket): void {
  const agent = connectTcp(port, "127.0.0.1");
  client.pipe(agent).pipe(client);
  client.on("close", () => agent.destroy());
  agent.on("error", () => client.destroy()).on("close", () => client.destroy());
}

function pass(
  client: ServerHttp2Stream,
  { ":authority": _, ...headers }: IncomingHttpHeaders,
  port: number,
  fault: GrpcBehaviour,
): void {
  client.on("error", () => {});
  const isGrpc = headers["content-type"]?.startsWith("application/grpc");
  if (fault === "rejects-grpc" && isGrpc) {
    client.respond({ ":status": 502 }, { endStream: true });
    return;
  }
  if (fault === "drops-metadata") delete headers["a2a-extensions"];
  if (fault === "rejects-grpc-streams" && headers[":path"]?.endsWith("/SendStreamingMessage")) {
    const session = connect(`http://127.0.0.1:${port}`);
    session.on("error", () => {});
    const agent = session.request(headers);
    client.pipe(agent);
    agent.on("error", () => {}).on("close", () => session.close());
    agent.on("response", () => {
      agent.close(constants.NGHTTP2_CANCEL);
      client.respond({ ":status": 200, "content-type": "application/grpc", "grpc-status": "14" }, { endStream: true });
    });
    return;
  }
  const session = connect(`http://127.0.0.1:${port}`);
  session.on("error", () => {});
  const agent = session.request(headers);
  agent.on("error", () => {});
  if (fault === "changes-requests" && isGrpc)
    client
      .on("data", (chunk: Buffer) => agent.write(changedText(chunk, "message-only", "message-onlx")))
      .on("end", () => agent.end());
  else client.pipe(agent);
  if (fault !== "ignores-cancellations" && fault !== "cancels-late")
    client.on("aborted", () => agent.close(client.rstCode));
  const held: Buffer[] = [];
  let trailers: IncomingHttpHeaders = {};
  agent.on("response", (answer, flags) => {
    const isOver = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    const options = { endStream: isOver, waitForTrailers: !isOver && fault !== "drops-trailers" };
    if (!client.destroyed) client.respond(edited(answer, fault), options);
  });
  agent.on("trailers", (fields) => {
    trailers = edited(fields, fault);
  });
  client.on("wantTrailers", () => client.sendTrailers(trailers));
  agent.on("data", (chunk: Buffer) => {
    const bytes = fault === "changes-messages" ? changedText(chunk, "m1", "m2") : chunk;
    if (fault === "buffers-messages") held.push(bytes);
    else if (!client.destroyed) client.write(bytes);
    else if (fault === "cancels-late") agent.close(constants.NGHTTP2_CANCEL);
  });
  agent.on("end", () => {
    if (!client.destroyed && !client.writableEnded) client.end(Buffer.concat(held));
  });
  agent.on("close", () => session.close());
}

const changedText = (bytes: Buffer, from: string, to: string): Buffer =>
  Buffer.from(bytes.toString("latin1").replace(from, to), "latin1");

function edited(fields: IncomingHttpHeaders, fault: GrpcBehaviour): IncomingHttpHeaders {
  const { "grpc-status-details-bin": _, ...rest } = fields;
  if (fault === "drops-details") return rest;
  if (fault === "changes-grpc-status" && fields["grpc-status"] !== undefined && fields["grpc-status"] !== "0")
    return { ...fields, "grpc-status": "14" };
  return fields;
}
