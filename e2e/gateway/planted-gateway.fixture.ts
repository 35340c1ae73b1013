import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { constants, createGzip, gzipSync } from "node:zlib";
import type { HeaderPairs } from "@assay/wire";

// Gateways for tests. They share no code with the proxy of Assay, and each breaks one thing.

export interface Gateway {
  readonly url: string;
  /** a separate address for gRPC */
  readonly grpc?: string;
  /** headers of a caller that the gateway accepts */
  readonly headers?: HeaderPairs;
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

/** What a gateway does wrong, with the properties that it breaks. A longer line is what Assay reports instead. */
export const gatewayFaults = {
  "drops-version": ["GW-HEADER-A2A-VERSION"],
  "drops-extensions": ["GW-HEADER-A2A-EXTENSIONS"],
  "drops-trace": ["GW-HEADER-TRACEPARENT"],
  "drops-accept": ["GW-HEADER-ACCEPT"],
  // The login of a webhook is in the same header.
  "drops-credentials": ["GW-CREDENTIALS-PASSED", "GW-PUSH-CALLBACK"],
  // A gateway may log in to the agent itself, so no client is at risk for sure.
  "adds-credentials": ["GW-CREDENTIALS-ADDED changed: the gateway adds authorization to requests without it"],
  "echoes-credentials": ["GW-CREDENTIALS-ECHOED"],
  "changes-type": ["GW-ANSWER-CONTENT-TYPE", "GW-ANSWER-CONTENT-TYPE in 0.3"],
  "buffers-streams": ["GW-STREAM-TIMING"],
  "cuts-streams": ["GW-STREAM-TIMING"],
  "drops-events": [
    "GW-STREAM-BIG-EVENT",
    "GW-STREAM-COMMENTS",
    "GW-STREAM-EVENTS",
    "GW-STREAM-EVENTS in 0.3",
    "GW-STREAM-TIMING",
  ],
  "drops-big-events": ["GW-STREAM-BIG-EVENT"],
  // Clients ignore comments, so only a stream without events for a long time suffers.
  "drops-comments": ["GW-STREAM-COMMENTS changed: the gateway removes comments from streams"],
  "rewrites-errors": ["GW-ERROR-BODY", "GW-ERROR-BODY in 0.3"],
  "changes-status": ["GW-ERROR-STATUS", "GW-ERROR-STATUS in 0.3"],
  "drops-error-headers": ["GW-ERROR-HEADERS"],
  "sends-twice": ["GW-DELIVERY-AFTER-503", "GW-DELIVERY-ONCE", "GW-PUSH-ONCE"],
  "retries-after-reset": ["GW-DELIVERY-AFTER-RESET"],
  "renames-methods": ["GW-BODY-REQUEST"],
  "drops-answer-members": ["GW-BODY-ANSWER", "GW-BODY-ANSWER in 0.3"],
  "serves-no-card": [
    "GW-CARD-ADDRESSES in 0.3 not-examined: the gateway serves no card at this address",
    "GW-CARD-ADDRESSES not-examined: the gateway serves no card at this address",
    "GW-CARD-CACHING not-examined: the gateway serves no card at this address",
    "GW-CARD-MEMBERS in 0.3 not-examined: the gateway serves no card at this address",
    "GW-CARD-MEMBERS not-examined: the gateway serves no card at this address",
    "GW-CARD-SERVED",
    "GW-CARD-SIGNATURE not-examined: the gateway serves no card at this address",
  ],
  // Whoever changes a signed card invalidates its signature.
  "drops-card-members": ["GW-CARD-MEMBERS", "GW-CARD-MEMBERS in 0.3", "GW-CARD-SIGNATURE"],
  "leads-past": ["GW-CARD-ADDRESSES", "GW-CARD-ADDRESSES in 0.3", "GW-CARD-SIGNATURE"],
  // Clients work without a cache.
  "drops-card-caching": ["GW-CARD-CACHING changed: cache-control and etag of the card is lost or different"],
  "ignores-disconnects": ["GW-STREAM-DISCONNECT"],
  "compresses-unasked": ["GW-COMPRESSION-NOT-ASKED"],
  "drops-content-encoding": ["GW-COMPRESSION-ASKED"],
  "compresses-streams-late": ["GW-COMPRESSION-STREAM"],
  "drops-older-members": ["GW-BODY-REQUEST in 0.3"],
  "drops-notification-token": ["GW-PUSH-CALLBACK"],
  "drops-webhook-login": ["GW-PUSH-CONFIG"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type GatewayFault = keyof typeof gatewayFaults;

/** Limits of a gateway, with the property of depth full that each breaks. */
export const gatewayLimits = {
  "limits-bodies": "GW-BODY-SIZE",
  "limits-events": "GW-STREAM-MANY-EVENTS",
  "limits-streams": "GW-STREAM-CONCURRENT",
  "cuts-idle-streams": "GW-STREAM-IDLE",
} as const;
export type GatewayLimit = keyof typeof gatewayLimits;

/** What a gateway does that no client or agent minds, and faults that only the user's own agent is tested with. */
type Quirk =
  | "harmless"
  | "rounds-numbers"
  | "compresses"
  | "knows-only-1.0"
  | "upgrades-versions"
  | "drops-artifacts"
  | "drops-last-event"
  | keyof typeof ownAnswers;

type Behaviour = GatewayFault | GatewayLimit | Quirk | undefined;

interface OwnAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Legal answers of a gateway that does not ask the agent. */
const ownAnswers = {
  "asks-for-login": (url) => (url.includes("agent-card") ? undefined : { status: 401, body: "" }),
  "routes-rpc-only": (url) => (url.startsWith("/rest") ? { status: 404, body: "<html>Not found</html>" } : undefined),
  redirects: (url) => ({ status: 308, headers: { location: `https://gateway.invalid${url}` }, body: "" }),
  "answers-unknown-methods": (_, body) =>
    body.includes("AssayNoSuchMethod")
      ? {
          status: 200,
          headers: { "content-type": "application/json" },
          body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Unknown to the gateway"}}',
        }
      : undefined,
  "rejects-malformed-bodies": (_, body) =>
    body === '{"message":' ? { status: 422, body: "not JSON, says the gateway" } : undefined,
} satisfies Record<string, (url: string, body: string) => OwnAnswer | undefined>;

export async function startFaultyGateway(upstreamPort: number, fault: Behaviour): Promise<Gateway> {
  const streams = { open: 0 };
  const server = createServer((request, response) => void pass(request, response, upstreamPort, fault, streams));
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

const droppedFromRequests: Readonly<Partial<Record<NonNullable<Behaviour>, string>>> = {
  "drops-version": "a2a-version",
  "drops-extensions": "a2a-extensions",
  "drops-trace": "traceparent",
  "drops-accept": "accept",
  "drops-credentials": "authorization",
  "drops-notification-token": "x-a2a-notification-token",
};

const droppedFromAnswers: Readonly<Partial<Record<NonNullable<Behaviour>, readonly string[]>>> = {
  "drops-card-caching": ["cache-control", "etag"],
  "drops-error-headers": ["www-authenticate", "retry-after"],
  "drops-content-encoding": ["content-encoding"],
};

/** Gateways that parse streams, with the events that they pass on. */
const keptEvents: Readonly<Partial<Record<NonNullable<Behaviour>, (event: string, n: number) => boolean>>> = {
  "drops-events": (event) => !event.includes('"n":1'),
  "drops-big-events": (event) => event.length <= 64 * 1024,
  "drops-comments": (event) => !event.startsWith(":"),
  "drops-artifacts": (event) => !event.includes("artifactUpdate"),
  "drops-last-event": (event) => !event.includes("TASK_STATE_COMPLETED"),
  "limits-events": (_, n) => n < 500,
};

/** Splits a stream into its events. */
async function* eventsOf(answer: IncomingMessage): AsyncGenerator<string, void> {
  let rest = "";
  for await (const chunk of answer) {
    const events = `${rest}${String(chunk)}`.split(/(?<=\n\n)/);
    rest = events.at(-1)?.endsWith("\n\n") ? "" : (events.pop() ?? "");
    yield* events;
  }
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

interface OpenStreams {
  open: number;
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  fault: Behaviour,
  streams: OpenStreams,
): Promise<void> {
  const headers = { ...request.headers };
  const drops = fault && droppedFromRequests[fault];
  if (drops !== undefined) delete headers[drops];
  if (fault === "adds-credentials") headers.authorization ??= "Bearer of-the-gateway";
  let body = await bytesOf(request);
  if (fault === "drops-webhook-login") body = Buffer.from(body.toString().replace(/,"authentication":\{[^}]*\}/, ""));
  if (fault === "rounds-numbers" && body.length > 0) body = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
  if (fault === "renames-methods") body = Buffer.from(body.toString().replace(`"GetTask"`, `"tasks/get"`));
  if (fault === "drops-older-members") body = Buffer.from(body.toString().replace('"kind":"message",', ""));
  if (fault === "upgrades-versions") {
    const older = { "message/send": "SendMessage", "message/stream": "SendStreamingMessage", "tasks/get": "GetTask" };
    for (const [method, name] of Object.entries(older))
      if (body.includes(`"${method}"`)) {
        body = Buffer.from(body.toString().replace(`"${method}"`, `"${name}"`));
        headers["a2a-version"] = "1.0";
      }
  }
  if (fault === "knows-only-1.0" && (request.url?.startsWith("/v1/") || /"method":"\w+\//.test(body.toString()))) {
    response.writeHead(404).end();
    return;
  }
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
  if (fault === "limits-bodies" && body.length > 1024 * 1024) return void response.writeHead(413).end();
  const answers: Readonly<Record<string, (url: string, body: string) => OwnAnswer | undefined>> = ownAnswers;
  const own = fault && answers[fault]?.(request.url ?? "", body.toString());
  if (own) return void response.writeHead(own.status, own.headers).end(own.body);
  headers["content-length"] = String(body.length);
  const ask = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest({ host: "127.0.0.1", port, method: request.method, path: request.url, headers });
      sent.on("response", resolve).on("error", reject).end(body);
      if (fault !== "ignores-disconnects") response.on("close", () => sent.destroy());
    });
  try {
    const answer = await (fault === "retries-after-reset" ? ask().catch(ask) : ask());
    if (fault === "sends-twice" && request.method === "POST") (await ask()).resume();
    await answerWith(answer, request, response, port, fault, streams);
  } catch {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  }
}

async function answerWith(
  answer: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  fault: Behaviour,
  streams: OpenStreams,
): Promise<void> {
  let status = answer.statusCode!;
  const headers = { ...answer.headers };
  const isStream = headers["content-type"] === "text/event-stream";
  const acceptsGzip = request.headers["accept-encoding"] === "gzip";
  if (isStream && acceptsGzip && (fault === "compresses" || fault === "compresses-streams-late")) {
    const flush = fault === "compresses" ? constants.Z_SYNC_FLUSH : constants.Z_NO_FLUSH;
    response.writeHead(status, { ...headers, "content-encoding": "gzip" });
    answer.pipe(createGzip({ flush })).pipe(response);
    return;
  }
  for (const name of (fault && droppedFromAnswers[fault]) ?? []) delete headers[name];
  if (fault === "echoes-credentials" && request.headers.authorization !== undefined)
    headers["x-seen-authorization"] = request.headers.authorization;
  if (isStream && fault !== "buffers-streams") return passStream(answer, response, status, headers, fault, streams);
  let body = await bytesOf(answer);
  if (fault === "rewrites-errors" && /"error"/.test(body.toString())) body = Buffer.from('{"detail":"upstream error"}');
  if (fault === "changes-type") headers["content-type"] = "text/plain";
  if (fault === "serves-no-card" && request.url?.endsWith("agent-card.json")) status = 404;
  if (fault === "drops-answer-members" && headers["content-encoding"] === undefined)
    body = Buffer.from(body.toString().replace('"base64":"+/8AAQ==",', ""));
  if (fault === "leads-past" && request.url?.endsWith("agent-card.json")) {
    const url = `http://127.0.0.1:${port}/`;
    const moved = (list: object[] | undefined): object[] | undefined => list?.map((each) => ({ ...each, url }));
    const card = JSON.parse(body.toString()) as Record<string, unknown> & Record<string, object[] | undefined>;
    const { supportedInterfaces, additionalInterfaces } = card;
    Object.assign(card, card["url"] && { url }, {
      supportedInterfaces: moved(supportedInterfaces),
      additionalInterfaces: moved(additionalInterfaces),
    });
    body = Buffer.from(JSON.stringify(card));
  }
  if (fault === "changes-status" && status >= 400) status = 502;
  if (fault === "drops-card-members" && request.url?.endsWith("agent-card.json")) {
    const { capabilities, ...card } = JSON.parse(body.toString()) as Record<string, unknown>;
    const { extensions: _, ...rest } = capabilities as Record<string, unknown>;
    body = Buffer.from(JSON.stringify({ ...card, capabilities: rest }));
  }
  const compresses = fault === "compresses-unasked" || (fault === "compresses" && acceptsGzip);
  if (compresses && headers["content-encoding"] === undefined) {
    body = gzipSync(body);
    headers["content-encoding"] = "gzip";
  }
  delete headers["transfer-encoding"];
  response.writeHead(status, { ...headers, "content-length": String(body.length) }).end(body);
}

/** More than the pauses of any stream at depth quick, even on a busy machine. */
const idleLimitMs = 15_000;
const mostStreams = 20;

async function passStream(
  answer: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: IncomingMessage["headers"],
  fault: Behaviour,
  streams: OpenStreams,
): Promise<void> {
  if (fault === "limits-streams") {
    if (streams.open >= mostStreams) {
      answer.destroy();
      return void response.writeHead(503).end();
    }
    streams.open++;
    response.on("close", () => streams.open--);
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  answer.on("error", () => response.destroy());
  if (fault === "cuts-streams") setTimeout(() => response.destroy(), 500);
  if (fault === "cuts-idle-streams") {
    const cut = setTimeout(() => response.destroy(), idleLimitMs);
    answer.on("data", () => cut.refresh()).on("close", () => clearTimeout(cut));
  }
  const isKept = fault && keptEvents[fault];
  if (isKept) {
    let n = 0;
    for await (const event of eventsOf(answer)) if (isKept(event, n++)) response.write(event);
    response.end();
    return;
  }
  // Reading on without a client is the fault: nothing tells the agent that the client left.
  if (fault === "ignores-disconnects")
    answer.on("data", (chunk) => response.write(chunk)).on("end", () => response.end());
  else answer.pipe(response);
}
