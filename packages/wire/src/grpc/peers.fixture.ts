import { createServer } from "node:net";
import { onTestFinished } from "vitest";
import type { HttpClientOptions } from "../client/http.ts";
import { listen } from "../client/peers.fixture.ts";
import { createEgressGuard } from "../egress.ts";
import { Recording } from "../recording/recording.ts";
import type { ServerContext } from "../server/context.ts";
import { createHttp2Side, type Http2Side } from "../server/http2-side.ts";
import { LargeTurns } from "../server/large-turns.ts";
import { Ledger } from "../server/ledger.ts";
import { defaultLimits, type ServerLimits } from "../server/limits.ts";
import { OpenStreams } from "../server/open-streams.ts";
import { Outbox } from "../server/outbox.ts";
import type { GrpcHandler } from "./call.ts";
import { createGrpcClient, type GrpcClient } from "./client.ts";

interface TestServer {
  readonly url: string;
  readonly side: Http2Side;
  /** Errors that handlers threw. */
  readonly internalErrors: unknown[];
  /** Returns the number of connections so far. */
  connections(): number;
}

/** Serves gRPC by our own implementation on a free port, until the test is over. */
export async function grpcServer(handler: GrpcHandler, limits: Partial<ServerLimits> = {}): Promise<TestServer> {
  const internalErrors: unknown[] = [];
  const context: ServerContext = {
    limits: { ...defaultLimits, ...limits },
    secure: false,
    streams: new OpenStreams(defaultLimits.silenceMs),
    outbox: new Outbox(true),
    ledger: new Ledger(),
    large: new LargeTurns(),
    retiring: false,
    draining: false,
    ending: false,
    onInternalError: (error) => internalErrors.push(error),
  };
  const side = createHttp2Side({ grpc: handler, handler: (_request, reply) => reply.send(200, {}, "web") }, context);
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    side.take(socket);
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, side, internalErrors, connections: () => connections };
}

/** Creates a client that may call this machine, and closes it when the test is over. */
export function testGrpcClient(options: Partial<HttpClientOptions> = {}): GrpcClient & { recording: Recording } {
  const recording = options.recording ?? new Recording();
  const client = createGrpcClient({ guard: createEgressGuard({ allowLoopback: true }), recording, ...options });
  onTestFinished(() => client.close());
  return { ...client, recording };
}

/** Reads all messages of a request as one text. */
export async function textIn(messages: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const message of messages) text += Buffer.from(message).toString();
  return text;
}

export const echo: GrpcHandler = async (call) => {
  const said = await textIn(call.messages);
  await call.send(Buffer.from(`echo: ${said}`));
  call.end(0);
};

export const hello = (url: string) => ({ url, path: "/test.Echo/Say", message: Buffer.from("hello") });
