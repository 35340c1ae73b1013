import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

type Json = Record<string, unknown>;

export interface RandomAgentOptions {
  readonly seed: number;
  /** the address on its card; without it, that of the request */
  readonly publicUrl?: () => string | undefined;
  /** answers with tasks only, and never varies the number of events */
  readonly isSteady?: true;
  /** milliseconds between the events of a stream */
  readonly gapMs: number;
  /** the token that it asks for */
  readonly token?: string;
  /** takes a request without a version for one of 1.0 */
  readonly assumesVersion?: true;
  /** names the version of the request in its error */
  readonly namesVersion?: true;
  /** tasks wait for the user, and never end by themselves */
  readonly asksBack?: true;
  /** fails to cancel tasks */
  readonly keepsTasks?: true;
}

export interface RandomAgent {
  readonly url: string;
  readonly port: number;
  /** messages that it worked on */
  readonly messages: () => number;
  readonly cancelled: () => number;
  /** the headers of every request */
  readonly requests: readonly IncomingHttpHeaders[];
  close(): Promise<void>;
}

/**
 * Starts an agent of A2A 1.0 that behaves like one with a language model. Its texts, ids, times and the order of members
 * and lists are random, and members come and go. It shares no code with Assay.
 */
export async function startRandomAgent(options: RandomAgentOptions): Promise<RandomAgent> {
  const agent = new Agent(options);
  const server = createServer((request, response) => void agent.answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    messages: () => agent.messages,
    cancelled: () => agent.cancelled,
    requests: agent.requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class Agent {
  messages = 0;
  cancelled = 0;
  readonly requests: IncomingHttpHeaders[] = [];
  readonly #options: RandomAgentOptions;
  readonly #tasks = new Map<string, Json>();
  #state: number;

  constructor(options: RandomAgentOptions) {
    this.#options = options;
    this.#state = options.seed;
  }

  /** mulberry32 */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  #words(): string {
    const words = ["sun", "rain", "wind", "snow", "fog"];
    return Array.from({ length: 1 + Math.floor(this.#random() * 6) }, () => this.#shuffled(words)[0]).join(" ");
  }

  #shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((each) => [this.#random(), each] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, each]) => each);
  }

  /** Changes the order of members, and sometimes adds metadata. */
  #varied(value: Json): Json {
    const more = this.#random() < 0.5 ? { metadata: { model: this.#words(), tokens: this.#random() } } : {};
    return Object.fromEntries(this.#shuffled(Object.entries({ ...value, ...more })));
  }

  #card(host: string | undefined): Json {
    const url = this.#options.publicUrl?.() ?? `http://${host}`;
    const skill = (id: string): Json =>
      Object.fromEntries(
        this.#shuffled(
          Object.entries({ id, name: id, description: this.#words(), tags: this.#shuffled(["a", "b", "c"]) }),
        ),
      );
    const interfaces = ["JSONRPC", "HTTP+JSON"].map((protocolBinding) => ({
      url: protocolBinding === "JSONRPC" ? `${url}/rpc` : `${url}/rest`,
      protocolBinding,
      protocolVersion: "1.0",
    }));
    const card = {
      name: "Random agent",
      description: this.#words(),
      version: "1",
      capabilities: { streaming: true, extensions: [{ uri: "https://example.com/extension" }] },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      supportedInterfaces: interfaces,
      skills: this.#shuffled(["first", "second", "third"]).map(skill),
      documentationUrl: `${url}/docs`,
      ...(this.#random() < 0.5 && { iconUrl: `https://example.com/${this.#words()}` }),
    };
    return Object.fromEntries(this.#shuffled(Object.entries(card)));
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(request.headers);
    const path = request.url ?? "/";
    if (path === "/.well-known/agent-card.json")
      return send(response, 200, "application/json", this.#card(request.headers.host));
    const isRpc = path === "/rpc";
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    let body: Json = {};
    try {
      body = text ? (JSON.parse(text) as Json) : {};
    } catch {
      return this.#fail(response, isRpc, null, -32700, 400, "INVALID_ARGUMENT");
    }
    const id = isRpc ? body["id"] : null;
    const { token } = this.#options;
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      response.setHeader("WWW-Authenticate", `Bearer realm="${token.length}"`);
      return this.#fail(response, isRpc, id, -32000, 401, "UNAUTHENTICATED");
    }
    const { assumesVersion, namesVersion } = this.#options;
    const version = request.headers["a2a-version"] ?? (assumesVersion && "1.0");
    if (version !== "1.0") {
      const reason = namesVersion ? `VERSION_${version ?? "MISSING"}` : "VERSION_NOT_SUPPORTED";
      return this.#fail(response, isRpc, id, -32009, 400, reason);
    }
    const params = (isRpc ? body["params"] : body) as Json;
    const named = /^\/rest\/tasks\/([^/:]+)(:cancel)?$/.exec(path);
    const operation = isRpc
      ? String(body["method"])
      : named
        ? named[2]
          ? "CancelTask"
          : "GetTask"
        : { "/rest/message:send": "SendMessage", "/rest/message:stream": "SendStreamingMessage" }[path];
    const wrap = (result: unknown): unknown => (isRpc ? { jsonrpc: "2.0", id, result } : result);
    const type = isRpc ? "application/json" : "application/a2a+json";
    switch (operation) {
      case "GetTask":
      case "CancelTask": {
        const task = this.#tasks.get(named?.[1] ?? String(params["id"]));
        if (!task) return this.#fail(response, isRpc, id, -32001, 404, "TASK_NOT_FOUND");
        if (operation === "CancelTask") {
          if (this.#options.keepsTasks) return this.#fail(response, isRpc, id, -32603, 500, "INTERNAL");
          this.cancelled++;
        }
        return send(response, 200, type, wrap(this.#varied(task)));
      }
      case "SendMessage":
        this.messages++;
        return send(response, 200, type, wrap(this.#answerOf(params)));
      case "SendStreamingMessage":
        this.messages++;
        return this.#stream(response, params, wrap);
      default:
        return this.#fail(response, isRpc, id, -32601, 404, "METHOD_NOT_FOUND");
    }
  }

  #fail(response: ServerResponse, isRpc: boolean, id: unknown, code: number, http: number, reason: string): void {
    const message = `${reason}: ${this.#words()}`;
    const details = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" }];
    const error = isRpc ? { code, message, data: details } : { code: http, status: reason, message, details };
    const body = { ...(isRpc && { jsonrpc: "2.0", id }), error: this.#varied(error) };
    const type = isRpc ? "application/json" : "application/a2a+json";
    send(response, isRpc && http !== 401 ? 200 : http, type, body);
  }

  #message(): Json {
    return this.#varied({ messageId: randomUUID(), role: "ROLE_AGENT", parts: [{ text: this.#words() }] });
  }

  #answerOf(params: Json): Json {
    if (!this.#options.isSteady && this.#random() < 0.4) return { message: this.#message() };
    const task = this.#newTask(params);
    task["artifacts"] = [{ artifactId: randomUUID(), parts: [{ text: this.#words() }] }];
    task["status"] = this.#status(this.#options.asksBack ? "INPUT_REQUIRED" : "COMPLETED");
    return { task: this.#varied(task) };
  }

  #newTask(params: Json): Json {
    const task: Json = {
      id: randomUUID(),
      contextId: randomUUID(),
      status: this.#status("SUBMITTED"),
      history: [params["message"]],
    };
    this.#tasks.set(String(task["id"]), task);
    return task;
  }

  #status = (state: string): Json => ({ state: `TASK_STATE_${state}`, timestamp: new Date().toISOString() });

  async #stream(response: ServerResponse, params: Json, wrap: (result: unknown) => unknown): Promise<void> {
    const { isSteady, gapMs, asksBack } = this.#options;
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
    const write = async (event: Json): Promise<void> => {
      response.write(`data: ${JSON.stringify(wrap(event))}\n\n`);
      await sleep(isSteady ? gapMs : gapMs * this.#random());
    };
    if (!isSteady && this.#random() < 0.3) {
      response.end(`data: ${JSON.stringify(wrap({ message: this.#message() }))}\n\n`);
      return;
    }
    const task = this.#newTask(params);
    const ids = { taskId: task["id"], contextId: task["contextId"] };
    await write({ task: this.#varied(task) });
    if (isSteady || this.#random() < 0.5)
      await write({ statusUpdate: this.#varied({ ...ids, status: this.#status("WORKING") }) });
    const artifactId = randomUUID();
    let text = "";
    const chunks = isSteady ? 3 : 1 + Math.floor(this.#random() * 4);
    for (let n = 0; n < chunks; n++) {
      const chunk = `${this.#words()} `;
      text += chunk;
      const artifact = this.#varied({ artifactId, parts: [{ text: chunk }] });
      await write({ artifactUpdate: { ...ids, artifact, append: n > 0, lastChunk: n === chunks - 1 } });
    }
    task["artifacts"] = [{ artifactId, parts: [{ text }] }];
    task["status"] = this.#status(asksBack ? "INPUT_REQUIRED" : "COMPLETED");
    response.end(`data: ${JSON.stringify(wrap({ statusUpdate: { ...ids, status: task["status"] } }))}\n\n`);
  }
}

function send(response: ServerResponse, status: number, type: string, json: unknown): void {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "max-age=60" }).end(JSON.stringify(json));
}
