import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { createEgressGuard } from "../egress.ts";
import { Recording } from "../recording/recording.ts";
import { createHttpClient, type HttpClient, type HttpClientOptions } from "./http.ts";

/** Listens on a free port of 127.0.0.1 until the test is over. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // The address of a listening TCP server is never a string or null.
  return (server.address() as AddressInfo).port;
}

export const httpPeer = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(createHttpServer(listener))}`;

interface RawPeer {
  readonly url: string;
  /** Returns all received bytes, from all connections. */
  heard(): Buffer;
}

/** Starts a TCP server that calls `answer` with each chunk that it receives. */
export async function rawPeer(answer: (socket: Socket, heard: Buffer) => void): Promise<RawPeer> {
  const chunks: Buffer[] = [];
  const server = createTcpServer((socket) => {
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      answer(socket, chunk);
    });
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, heard: () => Buffer.concat(chunks) };
}

/** Creates a client that may call this machine, and closes it when the test is over. */
export function testClient(options: Partial<HttpClientOptions> = {}): HttpClient & { readonly recording: Recording } {
  const recording = options.recording ?? new Recording();
  const client = createHttpClient({ guard: createEgressGuard({ allowLoopback: true }), recording, ...options });
  onTestFinished(() => client.close());
  return { ...client, recording };
}

export const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString("utf8");

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
