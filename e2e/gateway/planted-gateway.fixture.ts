import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";

// Gateways for tests. They share no code with the proxy of Assay, and each breaks one thing.

export interface Gateway {
  readonly url: string;
  close(): Promise<void>;
}

/** A proxy for bytes: it cannot change anything. */
export async function startTcpProxy(upstreamPort: number): Promise<Gateway> {
  const server = createTcpServer((client) => {
    const agent = connect(upstreamPort, "127.0.0.1");
    client.pipe(agent).pipe(client);
    for (const [socket, other] of [
      [client, agent],
      [agent, client],
    ] as const) {
      socket.on("error", () => other.destroy());
      socket.on("close", () => other.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** What a gateway does wrong. */
export const gatewayFaults = [
  "drops-version",
  "drops-extensions",
  "buffers-streams",
  "cuts-streams",
  "rewrites-errors",
  "changes-status",
  "sends-twice",
  "rounds-numbers",
  "drops-card-members",
  "ignores-disconnects",
] as const;
export type GatewayFault = (typeof gatewayFaults)[number];

/** What a gateway does that no client or agent minds. */
type Quirk = "harmless";

export async function startFaultyGateway(
  upstreamPort: number,
  fault: GatewayFault | Quirk | undefined,
): Promise<Gateway> {
  const server = createServer((request, response) => void pass(request, response, upstreamPort, fault));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  fault: GatewayFault | Quirk | undefined,
): Promise<void> {
  const headers = { ...request.headers };
  if (fault === "drops-version") delete headers["a2a-version"];
  if (fault === "drops-extensions") delete headers["a2a-extensions"];
  let body = await bytesOf(request);
  if (fault === "rounds-numbers" && body.length > 0) body = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
  if (fault === "harmless") {
    Object.assign(headers, { via: "1.1 gw", "x-forwarded-for": "192.0.2.1", "x-request-id": "1" });
    if (body.length > 0) body = Buffer.concat([Buffer.from(" \n"), body]);
    // Health checks arrive at the agent in the middle of a call.
    for (const [method, path] of [
      ["OPTIONS", "/"],
      ["GET", "/healthz"],
    ])
      httpRequest({ host: "127.0.0.1", port, method, path })
        .on("response", (answer) => answer.resume())
        .on("error", () => {})
        .end();
  }
  headers["content-length"] = String(body.length);
  const ask = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest({ host: "127.0.0.1", port, method: request.method, path: request.url, headers });
      sent.on("response", resolve).on("error", reject).end(body);
      if (fault !== "ignores-disconnects") response.on("close", () => sent.destroy());
    });
  try {
    const answer = await ask();
    if (fault === "sends-twice" && request.method === "POST") (await ask()).resume();
    await answerWith(answer, request, response, fault);
  } catch {
    response.writeHead(502).end();
  }
}

async function answerWith(
  answer: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  fault: GatewayFault | Quirk | undefined,
): Promise<void> {
  let status = answer.statusCode!;
  const headers = { ...answer.headers };
  const isStream = headers["content-type"] === "text/event-stream";
  if (isStream && fault !== "buffers-streams") {
    response.writeHead(status, headers);
    answer.on("error", () => response.destroy());
    if (fault === "cuts-streams") setTimeout(() => response.destroy(), 500);
    // Reading on without a client is the fault: nothing tells the agent that the client left.
    if (fault === "ignores-disconnects")
      answer.on("data", (chunk) => response.write(chunk)).on("end", () => response.end());
    else answer.pipe(response);
    return;
  }
  let body = await bytesOf(answer);
  if (fault === "rewrites-errors" && /"error"/.test(body.toString())) body = Buffer.from('{"detail":"upstream error"}');
  if (fault === "changes-status" && status >= 400) status = 502;
  if (fault === "drops-card-members" && request.url?.endsWith("agent-card.json")) {
    const { capabilities, ...card } = JSON.parse(body.toString()) as Record<string, unknown>;
    const { extensions: _, ...rest } = capabilities as Record<string, unknown>;
    body = Buffer.from(JSON.stringify({ ...card, capabilities: rest }));
  }
  delete headers["transfer-encoding"];
  response.writeHead(status, { ...headers, "content-length": String(body.length) }).end(body);
}
