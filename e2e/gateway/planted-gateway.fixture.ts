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

/** Properties that need a stream, if none passes. */
const withoutStream = (reason: string): string[] =>
  ["BIG-EVENT", "COMMENTS", "DISCONNECT", "TIMING"]
    .map((name) => `GW-STREAM-${name}`)
    .concat("GW-COMPRESSION-STREAM")
    .map((id) => `${id} not-examined: ${reason}`);

/** What a gateway does wrong, with the properties that it breaks. A longer line is what Assay reports instead. */
export const gatewayFaults = {
  "drops-version": ["GW-HEADER-A2A-VERSION"],
  "drops-extensions": ["GW-HEADER-A2A-EXTENSIONS"],
  // No rule of A2A needs them.
  "drops-trace": ["GW-HEADER-TRACEPARENT changed: the gateway drops traceparent"],
  "drops-accept": ["GW-HEADER-ACCEPT changed: the gateway drops Accept"],
  // The login of a webhook is in the same header.
  "drops-credentials": ["GW-CREDENTIALS-PASSED", "GW-PUSH-CALLBACK"],
  // A gateway may log in to the agent itself, so no client is at risk for sure.
  "adds-credentials": ["GW-CREDENTIALS-ADDED changed: the gateway adds authorization to requests without it"],
  "echoes-credentials": ["GW-CREDENTIALS-ECHOED"],
  "changes-type": ["GW-ANSWER-CONTENT-TYPE", "GW-ANSWER-CONTENT-TYPE in 0.3"],
  "buffers-streams": ["GW-STREAM-TIMING"],
  "cuts-streams": ["GW-STREAM-TIMING"],
  "drops-events": [
    "GW-STREAM-EVENTS",
    "GW-STREAM-EVENTS in 0.3",
    ...withoutStream("the gateway drops events of the stream"),
  ],
  "rejects-streams": [
    "GW-STREAM-EVENTS",
    "GW-STREAM-EVENTS in 0.3",
    ...withoutStream("the gateway does not pass the stream on"),
  ],
  "drops-big-events": ["GW-STREAM-BIG-EVENT"],
  // Clients ignore comments, so only a stream without events for a long time suffers.
  "drops-comments": ["GW-STREAM-COMMENTS changed: the gateway removes comments from streams"],
  "drops-retry": ["GW-STREAM-COMMENTS changed: the gateway removes retry lines from streams"],
  "changes-request-type": ["GW-BODY-REQUEST", "GW-BODY-REQUEST in 0.3", "GW-PUSH-CALLBACK"],
  "rewrites-errors": ["GW-ERROR-BODY", "GW-ERROR-BODY in 0.3"],
  "changes-status": ["GW-ERROR-STATUS", "GW-ERROR-STATUS in 0.3"],
  "drops-error-headers": ["GW-ERROR-HEADERS"],
  "sends-twice": ["GW-DELIVERY-AFTER-503", "GW-DELIVERY-ONCE", "GW-PUSH-ONCE"],
  "retries-after-reset": ["GW-DELIVERY-AFTER-RESET"],
  "renames-methods": ["GW-BODY-REQUEST"],
  "drops-answer-members": ["GW-BODY-ANSWER", "GW-BODY-ANSWER in 0.3"],
  "serves-no-card": [
    "GW-CARD-ADDRESSES in 0.3 not-examined: the gateway does not pass the card on",
    "GW-CARD-ADDRESSES not-examined: the gateway does not pass the card on",
    "GW-CARD-CACHING not-examined: the gateway does not pass the card on",
    "GW-CARD-MEMBERS in 0.3 not-examined: the gateway does not pass the card on",
    "GW-CARD-MEMBERS not-examined: the gateway does not pass the card on",
    "GW-CARD-SERVED",
    "GW-CARD-SIGNATURE not-examined: the gateway does not pass the card on",
  ],
  // Whoever changes a signed card invalidates its signature.
  "drops-card-members": ["GW-CARD-MEMBERS", "GW-CARD-MEMBERS in 0.3", "GW-CARD-SIGNATURE"],
  "leads-past": ["GW-CARD-ADDRESSES", "GW-CARD-ADDRESSES in 0.3", "GW-CARD-SIGNATURE"],
  // Clients work without a cache.
  "drops-card-caching": ["GW-CARD-CACHING changed: the gateway drops or changes cache-control and etag of the card"],
  "ignores-disconnects": ["GW-STREAM-DISCONNECT"],
  "leaves-long-streams": [
    "GW-STREAM-DISCONNECT not-examined: the gateway closed the stream to the agent before the client disconnected",
    "GW-STREAM-TIMING",
  ],
  "compresses-unasked": ["GW-COMPRESSION-NOT-ASKED"],
  "drops-content-encoding": ["GW-COMPRESSION-ASKED"],
  "compresses-streams-late": ["GW-COMPRESSION-STREAM"],
  "drops-older-members": ["GW-BODY-REQUEST in 0.3"],
  "drops-notification-token": ["GW-PUSH-CALLBACK"],
  "drops-webhook-login": ["GW-PUSH-CONFIG"],
  "drops-query": ["GW-REQUEST-TARGET"],
  "decodes-query": ["GW-REQUEST-TARGET"],
  "rejects-deletes": ["GW-REQUEST-TARGET"],
  "caches-tasks": ["GW-ANSWER-FRESH"],
  "passes-one-at-a-time": ["GW-REQUEST-CONCURRENT"],
  "merges-requests": ["GW-REQUEST-CONCURRENT"],
  "shortens-texts": ["GW-STREAM-BIG-EVENT"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type GatewayFault = keyof typeof gatewayFaults;

/** Limits of a gateway, with the property of depth full that each breaks. */
export const gatewayLimits = {
  "limits-bodies": "GW-BODY-SIZE",
  "limits-answers": "GW-BODY-SIZE",
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
  | "serves-card-at-root"
  | "has-public-name"
  | "sends-plain-json"
  | "splits-chunks"
  | "adds-event"
  | "repeats-event"
  | "compresses-twice"
  | "shows-error-pages"
  | "adds-retry-after"
  | "drops-later-members"
  | "adds-extension"
  | "names-older-version"
  | "loses-first-responses"
  | "loses-first-body"
  | "requires-login"
  | "uses-own-ids"
  | "keeps-own-ids-in-errors"
  | "keeps-own-ids-in-streams"
  | "writes-query-again"
  | "caches-briefly"
  | "limits-rate"
  | "notices-disconnects-late"
  | keyof typeof ownAnswers;

type Behaviour = GatewayFault | GatewayLimit | Quirk | undefined;

interface OwnAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Legal answers of a gateway that does not ask the agent. */
const ownAnswers = {
  "serves-no-card-at-all": (url) =>
    url.includes(".well-known") ? { status: 404, body: "<html>Not found</html>" } : undefined,
  "is-overloaded": (url) => (url.includes(".well-known") ? { status: 503, body: "" } : undefined),
  "serves-card-at-root": (url) => (url.startsWith(`${folder}/.well-known`) ? { status: 404, body: "" } : undefined),
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

/** The route of a gateway that serves the agent below a path, and its card at the root of the host. */
const folder = "/agents/a";

export async function startFaultyGateway(
  upstreamPort: number,
  fault: Behaviour,
  onRequest: (request: IncomingMessage) => void = () => {},
): Promise<Gateway> {
  const memory: Memory = { openStreams: 0, open: 0, lost: new Set(), ids: new Map(), cache: new Map() };
  const server = createServer((request, response) => {
    onRequest(request);
    void pass(request, response, upstreamPort, fault, memory);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${fault === "serves-card-at-root" ? folder : ""}`,
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
  "drops-retry": (event) => !event.startsWith("retry:"),
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

const withoutLaterMember = (body: Buffer): Buffer =>
  Buffer.from(body.toString().replace('"assayLaterMember":{"kept":true},', ""));

/** What a gateway remembers. */
interface Memory {
  openStreams: number;
  /** kinds of responses that it has lost */
  readonly lost: Set<string>;
  /** JSON-RPC ids of clients, by those of the gateway */
  readonly ids: Map<string, string>;
  /** responses with tasks, and how often each was repeated */
  readonly cache: Map<string, { readonly body: Buffer; repeated: number }>;
  /** requests without a response */
  open: number;
  /** the end of the last request */
  turn?: Promise<unknown>;
  /** the response that requests at the same time share */
  shared?: Promise<{ readonly answer: IncomingMessage; readonly body: Buffer }>;
}

/** Returns the client's JSON-RPC ids to a response, if the gateway used its own. */
const withClientIds = (text: string, { ids }: Memory): string =>
  text.replace(/"id":"(gw-\d+)"/, (_, own: string) => `"id":${ids.get(own)}`);

const isTask = ({ method, url }: IncomingMessage): boolean => method === "GET" && url?.includes("/tasks/") === true;

/** Responses of which one is lost, as on a bad network. */
const losable = ["An error for the gateway test", "assayUnknown", "text/event-stream"];

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  fault: Behaviour,
  memory: Memory,
): Promise<void> {
  const headers = { ...request.headers };
  const drops = fault && droppedFromRequests[fault];
  if (drops !== undefined) delete headers[drops];
  if (fault === "names-older-version") headers["a2a-version"] = "0.3";
  if (fault === "changes-request-type" && request.method === "POST") headers["content-type"] = "text/plain";
  if (fault === "sends-plain-json" && headers["content-type"] === "application/a2a+json")
    headers["content-type"] = "application/json";
  if (fault === "adds-extension" && headers["a2a-extensions"] !== undefined)
    headers["a2a-extensions"] = `https://gateway.invalid/trace,${String(headers["a2a-extensions"])}`;
  if (fault === "adds-credentials") headers.authorization ??= "Bearer of-the-gateway";
  if (fault === "passes-one-at-a-time") {
    const before = memory.turn;
    memory.turn = once(response, "close");
    await before;
  }
  if (fault === "limits-rate") {
    memory.open++;
    response.on("close", () => memory.open--);
    if (memory.open > 5) return void response.writeHead(429).end();
  }
  if (fault === "rejects-deletes" && request.method === "DELETE") return void response.writeHead(405).end();
  if (fault === "caches-tasks" || fault === "caches-briefly") {
    const known = memory.cache.get(request.url!);
    if (known && (fault === "caches-tasks" || known.repeated++ < 2)) {
      response.writeHead(200, { "content-type": "application/a2a+json" }).end(known.body);
      return;
    }
  }
  let body = await bytesOf(request);
  if (fault?.includes("own-ids") && body.includes('"jsonrpc"')) {
    const { id } = JSON.parse(body.toString()) as { id: unknown };
    const own = `gw-${memory.ids.size}`;
    memory.ids.set(own, JSON.stringify(id));
    body = Buffer.from(body.toString().replace(`"id":${JSON.stringify(id)}`, `"id":"${own}"`));
    // It has to read the response.
    delete headers["accept-encoding"];
  }
  if (fault === "drops-later-members") body = withoutLaterMember(body);
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
    // Health checks and requests for a token arrive at the agent in the middle of a call.
    for (const [method, path, form = ""] of [
      ["OPTIONS", "/"],
      ["GET", "/healthz"],
      ["POST", "/healthz"],
      ["POST", "/token", "grant_type=client_credentials"],
    ])
      httpRequest({ host: "127.0.0.1", port, method, path })
        .on("response", (answer) => answer.resume())
        .on("error", () => {})
        .end(form);
  }
  // A connection to the agent that the agent closes at the same moment.
  if (fault === "loses-first-body" && body.length > 1024 * 1024 && memory.lost.size === 0) {
    memory.lost.add("body");
    return void response.writeHead(502).end();
  }
  if (fault === "limits-bodies" && body.length > 1024 * 1024) return void response.writeHead(413).end();
  if (fault === "requires-login" && headers.authorization === undefined) return void response.writeHead(401).end();
  const answers: Readonly<Record<string, (url: string, body: string) => OwnAnswer | undefined>> = ownAnswers;
  const own = fault && answers[fault]?.(request.url ?? "", body.toString());
  if (own) return void response.writeHead(own.status, own.headers).end(own.body);
  headers["content-length"] = String(body.length);
  const ask = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const path = pathOf(request.url ?? "/", fault);
      const sent = httpRequest({ host: "127.0.0.1", port, method: request.method, path, headers });
      sent.on("response", resolve).on("error", reject).end(body);
      const reads = fault !== "ignores-disconnects" && fault !== "notices-disconnects-late";
      if (reads) response.on("close", () => sent.destroy());
    });
  if (fault === "merges-requests" && isTask(request)) {
    memory.shared ??= ask()
      .then(async (answer) => ({ answer, body: await bytesOf(answer) }))
      .finally(() => delete memory.shared);
    const { answer, body: shared } = await memory.shared;
    return void response.writeHead(answer.statusCode!, answer.headers).end(shared);
  }
  try {
    const answer = await (fault === "retries-after-reset" ? ask().catch(ask) : ask());
    if (fault === "sends-twice" && request.method === "POST") (await ask()).resume();
    await answerWith(answer, request, response, port, fault, memory);
  } catch {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  }
}

function pathOf(url: string, fault: Behaviour): string {
  if (fault === "serves-card-at-root") return url.replace(folder, "") || "/";
  const [path = "", query] = url.split("?");
  if (query === undefined) return url;
  if (fault === "drops-query") return path;
  if (fault === "decodes-query") return `${path}?${decodeURIComponent(query)}`;
  if (fault === "writes-query-again") return `${path}?gateway=1&${new URLSearchParams(query)}`;
  return url;
}

async function answerWith(
  answer: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  fault: Behaviour,
  memory: Memory,
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
  if (isStream && fault === "rejects-streams") {
    answer.destroy();
    return void response.writeHead(400).end();
  }
  if (isStream && fault === "leaves-long-streams") return passShortStream(answer, response, status, headers);
  const loses = (text: string): boolean => {
    const kind = losable.find((each) => text.includes(each));
    if (fault !== "loses-first-responses" || kind === undefined || memory.lost.has(kind)) return false;
    memory.lost.add(kind);
    return true;
  };
  if (loses(headers["content-type"] ?? "")) return void response.destroy();
  if (isStream && fault !== "buffers-streams") return passStream(answer, response, status, headers, fault, memory);
  let body = await bytesOf(answer);
  if (loses(body.toString())) return void response.destroy();
  if (fault === "rewrites-errors" && /"error"/.test(body.toString())) body = Buffer.from('{"detail":"upstream error"}');
  if (fault === "sends-plain-json" && headers["content-type"] === "application/a2a+json")
    headers["content-type"] = "application/json";
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
  if (fault === "drops-later-members" && headers["content-encoding"] === undefined) body = withoutLaterMember(body);
  if (fault === "limits-answers" && body.length > 1024 * 1024) return void response.writeHead(502).end();
  if (fault === "shows-error-pages" && status >= 400) body = Buffer.from("<h1>Error</h1>");
  if (fault === "adds-retry-after" && status >= 400) headers["retry-after"] ??= "30";
  if (fault === "compresses-twice" && headers["content-encoding"] === "gzip") body = gzipSync(body);
  if (fault === "changes-status" && status >= 400) status = 502;
  if (fault === "has-public-name" && request.url?.endsWith("agent-card.json")) {
    const moved = body.toString().replaceAll(`http://${request.headers.host}`, "https://gateway.invalid");
    const { signatures: _, ...card } = JSON.parse(moved) as Record<string, unknown>;
    body = Buffer.from(JSON.stringify(card));
  }
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
  const hasIds = fault?.includes("own-ids") && headers["content-encoding"] === undefined;
  if (hasIds && !(fault === "keeps-own-ids-in-errors" && body.includes('"error":')))
    body = Buffer.from(withClientIds(body.toString(), memory));
  if (fault?.startsWith("caches-") && isTask(request) && status === 200)
    memory.cache.set(request.url!, { body, repeated: 0 });
  delete headers["transfer-encoding"];
  response.writeHead(status, { ...headers, "content-length": String(body.length) }).end(body);
}

/** Passes a stream on when it is over. It hangs up on the agent if it gets too long, and lets the client wait. */
async function passShortStream(
  answer: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: IncomingMessage["headers"],
): Promise<void> {
  const held: string[] = [];
  for await (const event of eventsOf(answer)) {
    held.push(event);
    if (held.filter((each) => each.startsWith("data:")).length > 3) return;
  }
  response.writeHead(status, headers).end(held.join(""));
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
  memory: Memory,
): Promise<void> {
  if (fault === "limits-streams") {
    if (memory.openStreams >= mostStreams) {
      answer.destroy();
      return void response.writeHead(503).end();
    }
    memory.openStreams++;
    response.on("close", () => memory.openStreams--);
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  answer.on("error", () => response.destroy());
  if (fault === "cuts-streams") setTimeout(() => response.destroy(), 500);
  if (fault === "cuts-idle-streams") {
    const cut = setTimeout(() => response.destroy(), idleLimitMs);
    answer.on("data", () => cut.refresh()).on("close", () => clearTimeout(cut));
  }
  if (fault === "adds-event" || fault === "repeats-event") {
    let last = "";
    for await (const event of eventsOf(answer)) {
      last = event;
      response.write(event);
    }
    return void response.end(fault === "repeats-event" ? last : "data: [DONE]\n\n");
  }
  if (fault === "splits-chunks") {
    for await (const chunk of answer) for (const byte of chunk as Buffer) response.write(Buffer.of(byte));
    return void response.end();
  }
  if (fault === "uses-own-ids" || fault === "keeps-own-ids-in-errors") {
    for await (const event of eventsOf(answer)) response.write(withClientIds(event, memory));
    return void response.end();
  }
  if (fault === "shortens-texts") {
    for await (const event of eventsOf(answer)) response.write(event.replace(/x{65536,}/, "x".repeat(65_536)));
    return void response.end();
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
  else if (fault === "notices-disconnects-late")
    answer
      .on("data", (chunk) => (response.destroyed ? answer.destroy() : response.write(chunk)))
      .on("end", () => response.end());
  else answer.pipe(response);
}
