import { createServer as createHttpServer, type IncomingHttpHeaders } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { Socket, Server as TcpServer } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

/** A server that answers next to nothing and remembers all it is told: over HTTP/1.1, with TLS or without, or over gRPC. */
export interface RecordingServer {
  readonly port: number;
  /** fields, addresses and bodies since the last time it was asked, and the names on client certificates */
  heard(): string;
  close(): Promise<void>;
}

/** What is answered to a request, by its path and body: JSON, or a redirect. */
export type RecordedAnswer = (path: string, body: string) => object | { readonly location: string } | undefined;

export async function startRecordingServer(
  answer: RecordedAnswer = () => undefined,
  {
    host = "127.0.0.1",
    tls,
    isGrpc,
  }: { readonly host?: string; readonly tls?: TlsOptions; readonly isGrpc?: true } = {},
): Promise<RecordingServer> {
  let heard = "";
  const sockets = new Set<Socket>();
  const note = (path: string, headers: IncomingHttpHeaders, body: string): void => {
    heard += `${path} ${JSON.stringify(headers)} ${body}\n`;
  };
  const plain = createHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const [path, body] = [request.url ?? "", Buffer.concat(chunks).toString("utf8")];
      note(path, request.headers, body);
      const said = answer(path, body) ?? rpcError(body);
      if (said && "location" in said) response.writeHead(307, { Location: String(said.location) }).end();
      else response.writeHead(said ? 200 : 404, { "Content-Type": "application/json" }).end(JSON.stringify(said ?? {}));
    });
  });
  const grpc = createHttp2Server();
  grpc.on("stream", (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on("error", () => {}).on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      note(String(headers[":path"]), headers, Buffer.concat(chunks).toString("latin1"));
      stream.respond({ ":status": 200, "content-type": "application/grpc", "grpc-status": "5" }, { endStream: true });
    });
  });
  const secure =
    tls &&
    createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (socket) => {
      heard += JSON.stringify(socket.getPeerCertificate().subject ?? {});
      plain.emit("connection", socket);
    });
  const server: TcpServer = isGrpc ? grpc : (secure ?? plain);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as { port: number }).port,
    heard() {
      const said = heard;
      heard = "";
      return said;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Knows every method, and no task. */
function rpcError(body: string): object | undefined {
  try {
    const { id, method } = JSON.parse(body);
    return typeof method === "string"
      ? { jsonrpc: "2.0", id: id ?? null, error: { code: -32001, message: "no such task" } }
      : undefined;
  } catch {
    return undefined;
  }
}
