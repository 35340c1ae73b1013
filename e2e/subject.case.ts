import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject, Operation, SendMessageRequest, StreamResponse, Task } from "@assay/protocol";
import { grpcV10 } from "@assay/protocol/grpc";
import { onTestFinished } from "vitest";
import { GrpcPeer } from "./grpc.case.ts";
import { type Binding, open, type PlainAnswer, plain, say, sending, until, written } from "./testbed.case.ts";

// An agent that may misbehave, or be odd: asked in plain requests, and what it says is taken as it comes.

type Headers = Readonly<Record<string, string>>;

/** What it takes to be served by each agent that others are made from. */
const admission: Readonly<Record<string, Headers>> = {
  secure: { Authorization: "Bearer alice-token" },
  strict: { "A2A-Extensions": "urn:assay:extension:acknowledgement:v1" },
};

export interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export class Subject {
  /** as in `spec`, or `mutants/LIST-003.no-token` */
  readonly name: string;
  readonly url: string;
  readonly #base: string;
  readonly #origin: string;

  constructor(origin: string, name: string, base: string) {
    this.#origin = origin;
    this.name = name;
    this.url = `${origin}/${name}`;
    this.#base = base;
  }

  get origin(): string {
    return this.#origin;
  }

  /** One answer as it came. */
  hear(binding: Binding, operation: Operation, request: object, headers: Headers = {}): Promise<Heard> {
    const { url, plain: sent } = this.#written(binding, operation, request, headers);
    return plain(url, sent);
  }

  /** The answer without its envelope; of an error, its code and its reason. */
  async ask<T = JsonObject>(
    operation: Operation,
    request: object,
    { binding = "JSONRPC", headers = {} }: { binding?: Binding; headers?: Headers } = {},
  ): Promise<T> {
    const json = JSON.parse((await this.hear(binding, operation, request, headers)).text) as JsonObject;
    if (json["error"]) return refusalIn(json["error"] as JsonObject) as T;
    return (binding === "JSONRPC" ? json["result"] : json) as T;
  }

  async task(text: string, more: Partial<SendMessageRequest> & { headers?: Headers } = {}): Promise<Task> {
    const { headers = {}, ...request } = more;
    const { task } = await this.ask<{ task: Task }>("SendMessage", { ...sending(text), ...request }, { headers });
    return task;
  }

  async stateOf(id: string): Promise<string> {
    return (await this.ask<Task>("GetTask", { id })).status.state;
  }

  /** How a task ends, once it has. */
  ending(id: string): Promise<string> {
    return until(
      () => this.stateOf(id),
      (state) => /COMPLETED|CANCELED|FAILED/.test(state),
    );
  }

  /** The events of a stream, until it ends or `patienceMs` have passed. */
  async events(
    operation: Operation,
    request: object,
    { binding = "JSONRPC", patienceMs = 5_000, leaveAfter = Number.POSITIVE_INFINITY }: Listening = {},
  ): Promise<Stream> {
    const { url, plain: sent } = this.#written(binding, operation, request);
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), patienceMs);
    const stream: Stream = { events: [], at: [], raw: "", type: "", ended: false };
    try {
      const response = await open(url, { ...sent, signal: leaving.signal, fresh: true });
      stream.type = String(response.headers["content-type"]);
      const read = readEvents();
      for await (const chunk of response.setEncoding("utf8")) {
        stream.raw += chunk;
        for (const data of read(chunk as string)) {
          const json = JSON.parse(data) as JsonObject;
          stream.events.push((json["result"] ?? json) as unknown as StreamResponse);
          stream.at.push(Date.now());
        }
        if (stream.events.length >= leaveAfter) break;
      }
      stream.ended = !leaving.signal.aborted;
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
      leaving.abort();
    }
    return stream;
  }

  /** A POST that is no operation: its JSON. */
  async post(body: object, headers: Headers = { "A2A-Version": "1.0" }): Promise<Heard> {
    const typed = { "Content-Type": "application/json", ...this.#admitted(headers) };
    return plain(this.url, { method: "POST", headers: typed, body: JSON.stringify(body) });
  }

  get(path: string, headers: Headers = { "A2A-Version": "1.0" }): Promise<PlainAnswer> {
    return plain(`${this.url}${path}`, { headers: this.#admitted(headers) });
  }

  async card(name = "agent-card.json"): Promise<JsonObject> {
    return JSON.parse((await this.get(`/.well-known/${name}`, {})).text) as JsonObject;
  }

  /** A gRPC client for this agent, which goes by the tenant. */
  grpc(meta: Headers = {}): {
    ask<T = JsonObject>(operation: Operation, request: object): Promise<T>;
    all(operation: Operation, request: object): Promise<JsonObject[]>;
  } {
    const admitted = this.#admitted(meta);
    const lower = Object.fromEntries(Object.entries(admitted).map(([key, value]) => [key.toLowerCase(), value]));
    const peer = new GrpcPeer(new URL(this.#origin).host, grpcV10, { meta: lower });
    onTestFinished(() => peer.close());
    const addressed = (request: object) => ({ tenant: this.name, ...request });
    return {
      ask: (operation, request) => peer.ask(operation, addressed(request)),
      all: (operation, request) => peer.open(operation, addressed(request)).toArray() as Promise<JsonObject[]>,
    };
  }

  #written(binding: Binding, operation: Operation, request: object, headers: Headers = {}) {
    const { url, plain: sent } = written(this.url, binding, operation, request, {
      ...admission[this.#base],
      ...headers,
    });
    return { url, plain: { ...sent, headers: withoutEmpty(sent.headers as Headers) } };
  }

  #admitted(headers: Headers = {}): Headers {
    return withoutEmpty({ ...admission[this.#base], ...headers });
  }
}

/** A header that is said to be empty is left out. */
const withoutEmpty = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));

interface Listening {
  readonly binding?: Binding;
  readonly patienceMs?: number;
  readonly leaveAfter?: number;
}

export interface Stream {
  readonly events: StreamResponse[];
  /** when each arrived */
  readonly at: number[];
  raw: string;
  type: string;
  /** by the agent, not by us */
  ended: boolean;
}

export interface Refused {
  readonly code: unknown;
  readonly reason: unknown;
}

/** An error in the form that both bindings share; a reason that cannot be found is undefined. */
function refusalIn(error: JsonObject): Refused {
  const details = error["data"] ?? error["details"];
  const info = Array.isArray(details) ? (details[0] as JsonObject | undefined) : undefined;
  return { code: error["code"], reason: info?.["reason"] };
}

/** Server-sent events as the standard has them: any line end, many data lines, comments and fields we ignore. */
function readEvents(): (chunk: string) => string[] {
  let rest = "";
  let data: string[] = [];
  return (chunk) => {
    rest += chunk;
    const found: string[] = [];
    // A CR at the end may be half of a CRLF, so it waits for what follows.
    for (let end = /\r\n|\n|\r(?!$)/.exec(rest); end; end = /\r\n|\n|\r(?!$)/.exec(rest)) {
      const line = rest.slice(0, end.index);
      rest = rest.slice(end.index + end[0].length);
      if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      if (line !== "" || data.length === 0) continue;
      found.push(data.join("\n"));
      data = [];
    }
    return found;
  };
}

export interface Posted {
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

/** A webhook that takes whatever comes. */
export async function startHook(): Promise<{ url: string; posted: Posted[] }> {
  const posted: Posted[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    posted.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) as JsonObject });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, posted };
}

export const unknownTask = "11111111-2222-4333-8444-555555555555";

/** A message that goes on with a task. */
export const onTask = (text: string, taskId: string, contextId?: string): SendMessageRequest => ({
  message: say(text, { taskId, ...(contextId === undefined ? {} : { contextId }) }),
});

export const quickly = { configuration: { returnImmediately: true } } as const;
