import {
  A2AError,
  defined,
  isObject,
  type JsonObject,
  type JsonValue,
  jsonObjectIn,
  writeRpcError,
} from "@assay/protocol";
import { framed, grpcStatuses, unframed, writeStatusDetails } from "@assay/protocol/grpc";
import { type HarEntry, sseDataIn } from "@assay/wire";
import {
  createHostCheck,
  type GrpcCall,
  type GrpcHandler,
  type Handler,
  listen,
  type WireReply,
  type WireRequest,
  type WireServer,
} from "@assay/wire/server";
import { systemClock } from "../definition/clock.ts";
import { watched, watchedGrpc } from "../operating/request-log.ts";
import { sendRestError } from "../server/rest.ts";
import type { RecordedAgent, RecordedAgentOptions } from "./recorded-agent.ts";
import { RecordedAnswers } from "./recorded-answers.ts";
import { contentOf, decoded, type RequestContent } from "./request-content.ts";

/**
 * Replaces the addresses in a recorded card by the current ones. It removes the signatures, which are no
 * longer valid.
 */
export function movedCard(card: JsonObject, interfaces: readonly string[], to: string): JsonObject {
  const { signatures: _, ...rest } = card;
  const origins = interfaces.filter((url) => URL.canParse(url)).map((url) => new URL(url));
  const { origin, host } = new URL(to);
  const moved = (text: string): string => {
    for (const from of origins) {
      if (text === from.host) return host;
      if (text === from.origin || text.startsWith(`${from.origin}/`)) return origin + text.slice(from.origin.length);
    }
    return text;
  };
  // A card stays an object.
  return walk(rest, moved) as JsonObject;
}

function walk(value: JsonValue, moved: (text: string) => string): JsonValue {
  if (typeof value === "string") return moved(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, moved));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value as JsonObject).map(([name, inner]) => [name, walk(inner, moved)]));
}

/** Serves an agent from its recording: the card, and the recorded responses. */
export function serveRecorded(agent: RecordedAgent, options: RecordedAgentOptions): Promise<WireServer> {
  const { host, port, publicUrl, allowedHosts = [], onServed, tls, recorder, onError } = options;
  const site = new RecordedSite(agent, options);
  const hostAllowed = createHostCheck({
    boundHost: host,
    allowed: allowedHosts,
    ...(publicUrl === undefined ? {} : { publicUrl }),
  });
  const handler: Handler = (request, reply) => {
    if (hostAllowed(request.host)) return site.answer(request, reply);
    const message = "This server does not accept that Host header. Start it with --public-url or --allow-host";
    return sendRestError(new A2AError("MisdirectedRequest", message), reply, {});
  };
  const grpc: GrpcHandler = (call) => site.answerGrpc(call);
  return listen({
    host,
    port,
    handler: watched(handler, { onServed }),
    grpc: watchedGrpc(grpc, { onServed }),
    ...defined({ tls, recorder, onInternalError: onError }),
  });
}

/** Headers that belong to one connection, or are created for every response. */
const notPassedOn = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "date",
  "etag",
  "keep-alive",
  "last-modified",
  "set-cookie",
  "trailer",
  "transfer-encoding",
]);

const cardPath = /\/\.well-known\/agent(?:-card)?\.json$/;

class RecordedSite {
  readonly #agent: RecordedAgent;
  readonly #answers: RecordedAnswers;
  readonly #card: HarEntry | undefined;
  readonly #publicUrl: string | undefined;
  readonly #clock;

  constructor(agent: RecordedAgent, { timeScale, publicUrl }: RecordedAgentOptions) {
    this.#agent = agent;
    this.#answers = new RecordedAnswers(agent.entries);
    this.#card = agent.entries.find(
      ({ request, response }) => request.url === agent.cardUrl && response.status === 200,
    );
    this.#publicUrl = publicUrl;
    this.#clock = systemClock(timeScale);
  }

  async answer(request: WireRequest, reply: WireReply): Promise<void> {
    const { method, path, query, rawHeaders } = request;
    const body = await request.body();
    const content = contentOf({ method, path: query ? `${path}?${query}` : path, headers: pairsOf(rawHeaders), body });
    const isCard = method === "GET" && cardPath.test(path);
    const entry = this.#answers.find(content) ?? (isCard ? this.#card : undefined);
    if (!entry) return refuse(this.#unknown(content), content, reply);
    const { status, headers, content: said, _error } = entry.response;
    const kept = Object.fromEntries(
      headers.filter(({ name }) => !notPassedOn.has(name.toLowerCase())).map(({ name, value }) => [name, value]),
    );
    if (/^text\/event-stream/i.test(said.mimeType)) return this.#stream(entry, content, kept, reply, request.signal);
    const text = Buffer.from(said.text, said.encoding ?? "utf8");
    const isCut = _error !== undefined && !_error.startsWith("aborted");
    const isAboutCard = isCard || /ExtendedAgentCard|getAuthenticatedExtendedCard|\/card$/.test(content.asked);
    reply.send(status, kept, isAboutCard ? this.#moved(text, request) : withId(text, content.id));
    if (isCut) reply.raw.destroy();
  }

  /** Replays each event with its recorded delay. */
  async #stream(
    entry: HarEntry,
    content: RequestContent,
    headers: Record<string, string>,
    reply: WireReply,
    signal: AbortSignal,
  ): Promise<void> {
    const events = sseDataIn(entry.response.content.text);
    const stream = reply.events(headers);
    let passed = 0;
    for (const [index, data] of events.entries()) {
      const due = arrivalOf(entry, index, events.length);
      await this.#clock.sleep(Math.max(0, due - passed), signal).catch(() => {});
      passed = due;
      if (stream.closed) return;
      await stream.send(withId(Buffer.from(data), content.id).toString("utf8"));
    }
    // A recorded broken connection is broken again; one that Assay ended just ends.
    if (entry.response._error && !entry.response._error.startsWith("aborted")) reply.raw.destroy();
    else stream.end();
  }

  async answerGrpc(call: GrpcCall): Promise<void> {
    const bodies: Uint8Array[] = [];
    for await (const message of call.messages) bodies.push(framed(message));
    const headers = Object.entries(call.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as const],
    );
    const content = contentOf({ method: "POST", path: call.path, headers, body: Buffer.concat(bodies) });
    const entry = this.#answers.find(content);
    if (!entry) {
      const error = this.#unknown(content);
      const details = Buffer.from(writeStatusDetails(error)).toString("base64").replace(/=+$/, "");
      call.end(grpcStatuses[error.numbers().grpc], error.message, { "grpc-status-details-bin": details });
      return;
    }
    const { response } = entry;
    const messages = unframed(Buffer.from(response.content.text, response.content.encoding ?? "utf8")) ?? [];
    let passed = 0;
    for (const [index, message] of messages.entries()) {
      const due = messages.length > 1 ? arrivalOf(entry, index, messages.length) : 0;
      await this.#clock.sleep(Math.max(0, due - passed), call.signal).catch(() => {});
      passed = due;
      if (call.signal.aborted) return;
      await call.send(message);
    }
    const ending = new Map(
      [...response.headers, ...(response._trailers ?? [])].map(({ name, value }) => [name.toLowerCase(), value]),
    );
    const details = ending.get("grpc-status-details-bin");
    call.end(
      Number(ending.get("grpc-status") ?? grpcStatuses.OK),
      decoded(ending.get("grpc-message") ?? ""),
      details === undefined ? {} : { "grpc-status-details-bin": details },
    );
  }

  /** Returns the A2A error for a request that is not in the recording. */
  #unknown({ asked, task, words }: RequestContent): A2AError {
    const what = words === undefined ? "with these parameters" : "with this text";
    const isKnown = this.#answers.asked.includes(asked);
    const message = isKnown
      ? `This agent is a recording, and it holds no answer to ${asked} ${what}`
      : `This agent is a recording, and ${asked} does not occur in it`;
    return task === undefined
      ? new A2AError("UnsupportedOperation", message)
      : new A2AError("TaskNotFound", message, { facts: { taskId: task } });
  }

  #moved(text: Buffer, { host, secure }: WireRequest): Buffer {
    const json = jsonObjectIn(text);
    if (!json) return text;
    const to = this.#publicUrl ?? `${secure ? "https" : "http"}://${host}`;
    return Buffer.from(JSON.stringify(movedCard(json, this.#agent.interfaces, to)));
  }
}

function refuse(error: A2AError, { id, asked }: RequestContent, reply: WireReply): void {
  if (id === undefined || !asked.startsWith("POST ")) sendRestError(error, reply, {});
  else reply.send(200, { "Content-Type": "application/json" }, writeRpcError(rpcId(id), error));
}

const rpcId = (id: JsonValue): string | number | null => (typeof id === "string" || typeof id === "number" ? id : null);

/** Sets the id of the current request in a JSON-RPC response. */
function withId(text: Buffer, id: JsonValue | undefined): Buffer {
  const json = id === undefined ? undefined : jsonObjectIn(text);
  return json && "jsonrpc" in json && "id" in json ? Buffer.from(JSON.stringify({ ...json, id })) : text;
}

const pairsOf = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!]);

/**
 * Returns the arrival time of an event in milliseconds. If all events have the end time, their times were not
 * recorded.
 */
function arrivalOf({ response, time }: HarEntry, index: number, events: number): number {
  const { _arrivals: arrivals = [] } = response;
  const isTold = events === 1 || arrivals[0] !== arrivals.at(-1);
  return (isTold ? arrivals[index] : undefined) ?? (time * (index + 1)) / events;
}
