// Agents written from the A2A specification alone (1.0.1, 0.3.0 and 0.2.1), without an SDK and without the test bed.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Fields = Record<string, unknown>;
type Version = "1.0" | "0.3";
type State = "submitted" | "working" | "completed" | "input-required" | "canceled";

/** The agent's answer to one message: a direct message, or the end of a task. */
type Reply = { readonly message: string } | Outcome;

interface Outcome {
  readonly state: State;
  readonly chunks?: readonly string[];
  readonly data?: Fields;
  readonly says?: string;
}

interface PlainAgent {
  /** where the JSON-RPC endpoint is, by version; the same path may serve two */
  readonly rpc?: Readonly<Partial<Record<Version, string>>>;
  /** the base path of HTTP+JSON 1.0 */
  readonly rest?: string;
  readonly cardPath: string;
  readonly card: (origin: string) => Fields;
  readonly streaming: boolean;
  readonly reply: (text: string) => Reply;
  /** 0.3: the response to message/send is a task at work, unless the client asks to wait */
  readonly early?: true;
  /** the last chunk of an artifact is not marked */
  readonly unmarked?: true;
  /** messages must name this tenant */
  readonly tenant?: string;
}

interface Task {
  readonly id: string;
  readonly contextId: string;
  state: State;
  says?: string;
  artifact?: { readonly id: string; readonly chunks: readonly string[]; readonly data?: Fields };
  readonly history: Fields[];
  changed: string;
  /** what the task becomes when it has been asked for */
  due?: Outcome;
}

class Refusal extends Error {
  readonly code: number;
  readonly reason: string;
  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

const skill = (id: string, description: string, ...examples: string[]): Fields => ({
  id,
  name: id,
  description,
  tags: [id],
  examples,
});

const modes = { defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] };

export const plainAgents = {
  /** 1.0 over JSON-RPC; streams; the answer is one artifact */
  recipes: {
    rpc: { "1.0": "/a2a" },
    cardPath: "/.well-known/agent-card.json",
    streaming: true,
    card: (origin) => ({
      name: "Recipes",
      description: "Writes short recipes.",
      version: "2.1.0",
      supportedInterfaces: [{ url: `${origin}/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      capabilities: { streaming: true },
      ...modes,
      skills: [skill("recipe", "Writes a recipe for a dish.", "How do I make pancakes?")],
    }),
    reply: () => ({ state: "completed", chunks: ["Whisk flour, milk and two eggs, then fry."] }),
  },
  /** 1.0 over HTTP+JSON; no streaming; answers with messages, and asks back for a reservation */
  rooms: {
    rest: "/rooms/v1",
    cardPath: "/.well-known/agent-card.json",
    streaming: false,
    card: (origin) => ({
      name: "Meeting rooms",
      description: "Finds and reserves meeting rooms.",
      version: "1.4.2",
      provider: { organization: "Facilities", url: "https://facilities.example.com" },
      supportedInterfaces: [{ url: `${origin}/rooms/v1`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" }],
      capabilities: {},
      ...modes,
      skills: [
        skill("free", "Lists rooms that are free.", "Which rooms are free?"),
        skill("reserve", "Reserves a room.", "Please reserve a room"),
      ],
    }),
    reply: (text) =>
      /reserve/i.test(text)
        ? { state: "input-required", says: "For which day?" }
        : { message: "Birch and Cedar are open until noon." },
  },
  /** 0.3 over JSON-RPC; no streaming; returns tasks before they end */
  ledger: {
    rpc: { "0.3": "/" },
    cardPath: "/.well-known/agent-card.json",
    streaming: false,
    early: true,
    card: (origin) => ({
      protocolVersion: "0.3.0",
      name: "Ledger",
      description: "Books and sums up expenses.",
      version: "0.9.0",
      url: `${origin}/`,
      preferredTransport: "JSONRPC",
      capabilities: { streaming: false, pushNotifications: false },
      ...modes,
      skills: [skill("sum", "Sums up the expenses of a month.", "What did we spend in May?")],
    }),
    reply: () => ({ state: "completed", chunks: ["You spent 412 crowns."] }),
  },
  /** 0.3 over JSON-RPC; streams; the answer is the message of the last status */
  translator: {
    rpc: { "0.3": "/rpc" },
    cardPath: "/.well-known/agent-card.json",
    streaming: true,
    card: (origin) => ({
      protocolVersion: "0.3.0",
      name: "Translator",
      description: "Translates words into Danish.",
      version: "3.0.0",
      url: `${origin}/rpc`,
      preferredTransport: "JSONRPC",
      additionalInterfaces: [{ url: `${origin}/rpc`, transport: "JSONRPC" }],
      capabilities: { streaming: true },
      ...modes,
      skills: [skill("translate", "Translates a word.", "How do I say apple?")],
    }),
    reply: () => ({ state: "completed", says: "The word is æble." }),
  },
  /** 1.0 and 0.3 over JSON-RPC at one address, on one card; streams an artifact in chunks */
  library: {
    rpc: { "1.0": "/desk", "0.3": "/desk" },
    cardPath: "/.well-known/agent-card.json",
    streaming: true,
    card: (origin) => ({
      name: "Library",
      description: "Finds books.",
      version: "5.2.0",
      supportedInterfaces: [
        { url: `${origin}/desk`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { url: `${origin}/desk`, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      ],
      protocolVersion: "0.3.0",
      url: `${origin}/desk`,
      preferredTransport: "JSONRPC",
      capabilities: { streaming: true },
      ...modes,
      skills: [skill("find", "Finds a book by its topic.", "Find a book about bees")],
    }),
    reply: () => ({ state: "completed", chunks: ["The Hive ", "and Its ", "Keeper"] }),
  },
  /** 0.2.1 over JSON-RPC, with the card at its older name; answers with messages */
  bus: {
    rpc: { "0.3": "/bus" },
    cardPath: "/.well-known/agent.json",
    streaming: false,
    card: (origin) => ({
      name: "Bus times",
      description: "Tells when the next bus leaves.",
      version: "1.0.0",
      url: `${origin}/bus`,
      capabilities: {},
      ...modes,
      skills: [skill("next", "Tells the time of the next bus.", "When is the next bus?")],
    }),
    reply: () => ({ message: "It leaves at 17:42." }),
  },
  /** 1.0 over JSON-RPC and HTTP+JSON, below a path; streams; answers with messages */
  museum: {
    rpc: { "1.0": "/agents/museum" },
    rest: "/agents/museum/http",
    cardPath: "/agents/museum/.well-known/agent-card.json",
    streaming: true,
    card: (origin) => ({
      name: "Museum",
      description: "Knows when the museum opens.",
      version: "1.1.0",
      supportedInterfaces: [
        { url: `${origin}/agents/museum`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { url: `${origin}/agents/museum/http`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      ],
      capabilities: { streaming: true, pushNotifications: false },
      ...modes,
      skills: [skill("hours", "Tells the opening hours.", "When do you open?")],
    }),
    reply: () => ({ message: "The doors open at ten." }),
  },
  /** 1.0 over JSON-RPC; streams an artifact with text and data, whose last chunk is not marked */
  press: {
    rpc: { "1.0": "/" },
    cardPath: "/.well-known/agent-card.json",
    streaming: true,
    unmarked: true,
    card: (origin) => ({
      name: "Press",
      description: "Writes headlines, with their length as data.",
      version: "0.1.0",
      supportedInterfaces: [{ url: `${origin}/`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      capabilities: { streaming: true },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain", "application/json"],
      skills: [skill("headline", "Writes a headline.", "A headline about snow, please")],
    }),
    reply: () => ({ state: "completed", chunks: ["Winter arrives early"], data: { letters: 20 } }),
  },
  /** 1.0 over JSON-RPC with a tenant; no streaming; the answer is one artifact */
  campus: {
    rpc: { "1.0": "/shared" },
    cardPath: "/.well-known/agent-card.json",
    streaming: false,
    tenant: "north",
    card: (origin) => ({
      name: "Campus",
      description: "Knows the lectures of the north campus.",
      version: "7.0.0",
      supportedInterfaces: [
        { url: `${origin}/shared`, protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "north" },
      ],
      capabilities: { streaming: false },
      ...modes,
      skills: [skill("lectures", "Lists the lectures of a day.", "Which lectures are there today?")],
    }),
    reply: () => ({ state: "completed", chunks: ["Botany at nine, statics at eleven."] }),
  },
  /** 1.0 over JSON-RPC; streams; asks back whatever it is asked first */
  ferry: {
    rpc: { "1.0": "/" },
    cardPath: "/.well-known/agent-card.json",
    streaming: true,
    card: (origin) => ({
      name: "Ferry",
      description: "Books a ferry.",
      version: "3.4",
      supportedInterfaces: [{ url: `${origin}/`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      capabilities: { streaming: true },
      ...modes,
      skills: [skill("book", "Books a ferry.", "Book a ferry to Amrum")],
    }),
    reply: () => ({ state: "input-required", says: "How many people?" }),
  },
  /** 0.3 over JSON-RPC; no streaming; asks back whatever it is asked first */
  pilot: {
    rpc: { "0.3": "/" },
    cardPath: "/.well-known/agent-card.json",
    streaming: false,
    card: (origin) => ({
      protocolVersion: "0.3.0",
      name: "Pilot",
      description: "Orders a pilot.",
      version: "1",
      url: `${origin}/`,
      preferredTransport: "JSONRPC",
      capabilities: {},
      ...modes,
      skills: [skill("order", "Orders a pilot.", "Order a pilot")],
    }),
    reply: () => ({ state: "input-required", says: "For which ship?" }),
  },
  /** 1.0 over JSON-RPC at two addresses, and nothing answers at the second */
  lamp: {
    rpc: { "1.0": "/rpc" },
    cardPath: "/.well-known/agent-card.json",
    streaming: false,
    card: (origin) => ({
      name: "Lamp",
      description: "Describes lighthouses.",
      version: "1.0.0",
      supportedInterfaces: [
        { url: `${origin}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { url: `${origin}/gone`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      ],
      capabilities: {},
      ...modes,
      skills: [skill("light", "Describes a lighthouse.", "Which light is at Westerhever?")],
    }),
    reply: () => ({ message: "It is 41 metres high." }),
  },
  /** 0.3 over JSON-RPC at two addresses, and nothing answers at the second */
  pier: {
    rpc: { "0.3": "/" },
    cardPath: "/.well-known/agent-card.json",
    streaming: false,
    card: (origin) => ({
      protocolVersion: "0.3.0",
      name: "Pier",
      description: "Knows which ships are moored.",
      version: "1.0.0",
      url: `${origin}/`,
      preferredTransport: "JSONRPC",
      additionalInterfaces: [
        { url: `${origin}/`, transport: "JSONRPC" },
        { url: `${origin}/gone`, transport: "JSONRPC" },
      ],
      capabilities: {},
      ...modes,
      skills: [skill("moored", "Lists ships that are moored.", "Which ships are moored?")],
    }),
    reply: () => ({ message: "Only the Anna is moored." }),
  },
  /** 1.0 over JSON-RPC, after an interface of 1.1 at which nothing answers */
  buoy: {
    rpc: { "1.0": "/rpc" },
    cardPath: "/.well-known/agent-card.json",
    streaming: true,
    card: (origin) => ({
      name: "Buoy",
      description: "Reads buoys.",
      version: "1.0.0",
      supportedInterfaces: [
        { url: `${origin}/next`, protocolBinding: "JSONRPC", protocolVersion: "1.1" },
        { url: `${origin}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      ],
      capabilities: { streaming: true },
      ...modes,
      skills: [skill("waves", "Tells how high the waves are.", "How high are the waves?")],
    }),
    reply: () => ({ state: "completed", chunks: ["Two metres."] }),
  },
  /** 1.0 over JSON-RPC; one of its skills requires a login */
  locker: {
    rpc: { "1.0": "/" },
    cardPath: "/.well-known/agent-card.json",
    streaming: false,
    card: (origin) => ({
      name: "Locker",
      description: "Keeps the gear of sailors.",
      version: "1.0.0",
      supportedInterfaces: [{ url: `${origin}/`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      capabilities: {},
      ...modes,
      securitySchemes: { token: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      skills: [
        skill("count", "Counts the free lockers.", "How many lockers are free?"),
        { ...skill("open", "Opens a locker."), securityRequirements: [{ schemes: { token: { list: [] } } }] },
      ],
    }),
    reply: () => ({ message: "Seven lockers are free." }),
  },
} as const satisfies Record<string, PlainAgent>;

export type PlainAgentName = keyof typeof plainAgents;

/** Starts an agent on a free port of the loopback interface. */
export async function startPlainAgent(
  name: PlainAgentName,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const agent: PlainAgent = plainAgents[name];
  const running = new Running(agent);
  const server: Server = createServer((request, response) => {
    running.handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  running.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: running.origin + agent.cardPath.slice(0, agent.cardPath.indexOf("/.well-known/")),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class Running {
  origin = "";
  readonly #agent: PlainAgent;
  readonly #tasks = new Map<string, Task>();

  constructor(agent: PlainAgent) {
    this.#agent = agent;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, this.origin);
    const body = await bodyOf(request);
    const { rpc = {}, rest, cardPath, card } = this.#agent;
    if (pathname === cardPath && request.method === "GET") {
      response.setHeader("cache-control", "max-age=60");
      return sendJson(response, 200, card(this.origin));
    }
    const asked = String(request.headers["a2a-version"] ?? searchParams.get("A2A-Version") ?? "");
    if (request.method === "POST" && Object.values(rpc).includes(pathname)) return this.#rpc(response, body, asked);
    if (rest !== undefined && pathname.startsWith(`${rest}/`))
      return this.#rest(request, response, { path: pathname.slice(rest.length), body, asked, query: searchParams });
    return sendJson(response, 404, { error: { code: 404, status: "NOT_FOUND", message: "No such path" } });
  }

  /** Returns the version to serve: an empty header means 0.3, and an agent of 0.3 knows no such header. */
  #version(asked: string): Version {
    const { rpc = {}, rest } = this.#agent;
    if (asked === "1.0" && (rpc["1.0"] !== undefined || rest !== undefined)) return "1.0";
    const isOlderOnly = rpc["1.0"] === undefined && rest === undefined;
    if (rpc["0.3"] !== undefined && (isOlderOnly || asked === "" || asked === "0.3")) return "0.3";
    throw new Refusal(-32009, "VERSION_NOT_SUPPORTED", `Version ${asked || "0.3"} is not supported`);
  }

  #rpc(response: ServerResponse, body: string, asked: string): void {
    let id: unknown = null;
    try {
      const call = parsed(body);
      if (!isFields(call) || call["jsonrpc"] !== "2.0" || typeof call["method"] !== "string")
        throw new Refusal(-32600, "", "Request payload validation error");
      id = call["id"] ?? null;
      const version = this.#version(asked);
      const params = isFields(call["params"]) ? call["params"] : {};
      const operation = operations[version][call["method"]];
      if (!operation) throw new Refusal(-32601, "", "Method not found");
      const enveloped = (result: unknown): Fields => ({ jsonrpc: "2.0", id, result });
      if (operation === "stream") this.#stream(response, params, version, enveloped);
      else sendJson(response, 200, enveloped(this.#perform(operation, params, version)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, reason } = error;
      const data = reason ? { data: [errorInfo(reason)] } : {};
      sendJson(response, 200, { jsonrpc: "2.0", id, error: { code, message, ...data } });
    }
  }

  #rest(
    { method }: IncomingMessage,
    response: ServerResponse,
    { path, body, asked, query }: { path: string; body: string; asked: string; query: URLSearchParams },
  ): void {
    const type = "application/a2a+json";
    try {
      const version = this.#version(asked);
      const { operation, params } = restCall(method, path, body, query);
      if (operation === "stream") this.#stream(response, params, version, (result) => result);
      else sendJson(response, 200, this.#perform(operation, params, version), type);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const [code, status] = httpStatus(error.code);
      const details = error.reason ? { details: [errorInfo(error.reason)] } : {};
      sendJson(response, code, { error: { code, status, message: error.message, ...details } }, type);
    }
  }

  #perform(operation: Operation, params: Fields, version: Version): unknown {
    if (this.#agent.tenant !== undefined && params["tenant"] !== this.#agent.tenant)
      throw new Refusal(-32602, "", "params.tenant must name the tenant of the card");
    if (operation === "send") return this.#send(params, version);
    if (operation === "list") return this.#list(params);
    if (operation === "push")
      throw new Refusal(-32003, "PUSH_NOTIFICATION_NOT_SUPPORTED", "Push notifications are not supported");
    if (operation === "extended")
      throw version === "1.0"
        ? new Refusal(-32004, "UNSUPPORTED_OPERATION", "There is no extended card")
        : new Refusal(-32007, "", "There is no extended card");
    const task = this.#find(params["id"]);
    if (operation === "get") {
      this.#advance(task);
      return inVersion(task, version, params["historyLength"]);
    }
    if (operation === "cancel") {
      if (isOver(task)) throw new Refusal(-32002, "TASK_NOT_CANCELABLE", "The task has ended");
      settle(task, { state: "canceled" });
      return inVersion(task, version);
    }
    throw new Refusal(-32004, "UNSUPPORTED_OPERATION", "The task cannot be streamed");
  }

  #send(params: Fields, version: Version): unknown {
    const { task, reply, contextId } = this.#receive(params, version);
    if ("message" in reply) return wrapped("message", agentMessage(reply.message, version, { contextId }), version);
    const { blocking, returnImmediately, historyLength } = fieldsOf(params["configuration"]);
    const waits = version === "1.0" ? returnImmediately !== true : blocking === true || !this.#agent.early;
    if (waits) settle(task!, reply);
    else task!.due = reply;
    return wrapped("task", inVersion(task!, version, historyLength), version);
  }

  /** Checks a message, and returns the answer to it with the task that it belongs to. */
  #receive(
    params: Fields,
    version: Version,
  ): { readonly task?: Task; readonly reply: Reply; readonly contextId: string } {
    const message = fieldsOf(params["message"]);
    const parts = Array.isArray(message["parts"]) ? message["parts"].filter(isFields) : [];
    const role = version === "1.0" ? "ROLE_USER" : "user";
    if (typeof message["messageId"] !== "string" || parts.length === 0 || message["role"] !== role)
      throw new Refusal(-32602, "", "message needs messageId, role and parts");
    const text = parts
      .map((part) => part["text"])
      .filter((each) => typeof each === "string")
      .join(" ");
    if (!text) throw new Refusal(-32005, "CONTENT_TYPE_NOT_SUPPORTED", "Only text is supported");
    const { taskId } = message;
    if (taskId !== undefined && taskId !== "") {
      const task = this.#find(taskId);
      if (isOver(task)) throw new Refusal(-32004, "UNSUPPORTED_OPERATION", "The task has ended");
      if (message["contextId"] && message["contextId"] !== task.contextId)
        throw new Refusal(-32602, "", "contextId is not that of the task");
      task.history.push({ ...message, contextId: task.contextId });
      return { task, contextId: task.contextId, reply: { state: "completed", chunks: [`Noted: ${text}.`] } };
    }
    const reply = this.#agent.reply(text);
    const contextId =
      typeof message["contextId"] === "string" && message["contextId"] ? message["contextId"] : randomUUID();
    if ("message" in reply) return { reply, contextId };
    const id = randomUUID();
    const task: Task = { id, contextId, state: "submitted", changed: now(), history: [] };
    task.history.push({ ...message, taskId: id, contextId });
    this.#tasks.set(id, task);
    return { task, reply, contextId };
  }

  #stream(response: ServerResponse, params: Fields, version: Version, envelope: (result: unknown) => unknown): void {
    if (!this.#agent.streaming) throw new Refusal(-32004, "UNSUPPORTED_OPERATION", "Streaming is not supported");
    if (this.#agent.tenant !== undefined && params["tenant"] !== this.#agent.tenant)
      throw new Refusal(-32602, "", "params.tenant must name the tenant of the card");
    const { task, reply, contextId } = this.#receive(params, version);
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    const emit = (kind: EventKind, event: Fields): void => {
      response.write(`data: ${JSON.stringify(envelope(wrapped(kind, event, version)))}\n\n`);
    };
    if ("message" in reply) {
      emit("message", agentMessage(reply.message, version, { contextId }));
      response.end();
      return;
    }
    emit("task", inVersion(task!, version));
    const ids = { taskId: task!.id, contextId };
    settle(task!, { state: "working" });
    emit("statusUpdate", { ...ids, status: statusOf(task!, version), ...(version === "0.3" && { final: false }) });
    settle(task!, reply);
    const chunks = artifactChunks(task!, version);
    for (const [index, artifact] of chunks.entries()) {
      const isLast = index === chunks.length - 1 && !this.#agent.unmarked;
      emit("artifactUpdate", {
        ...ids,
        artifact,
        ...(index > 0 && { append: true }),
        ...(isLast && { lastChunk: true }),
      });
    }
    emit("statusUpdate", { ...ids, status: statusOf(task!, version), ...(version === "0.3" && { final: true }) });
    response.end();
  }

  #list({ contextId, status, pageSize, includeArtifacts }: Fields): Fields {
    const size = pageSize === undefined ? 50 : Number(pageSize);
    if (!(size >= 1 && size <= 100)) throw new Refusal(-32602, "", "pageSize must be between 1 and 100");
    const found = [...this.#tasks.values()]
      .filter(
        (task) => (!contextId || task.contextId === contextId) && (!status || stateWord(task.state, "1.0") === status),
      )
      .toSorted((a, b) => b.changed.localeCompare(a.changed))
      .slice(0, size);
    const tasks = found.map((task) => {
      const { artifacts, ...shown } = inVersion(task, "1.0");
      return String(includeArtifacts) === "true" && artifacts ? { ...shown, artifacts } : shown;
    });
    return { tasks, nextPageToken: "", pageSize: size, totalSize: this.#tasks.size };
  }

  #find(id: unknown): Task {
    const task = this.#tasks.get(String(id));
    if (!task) throw new Refusal(-32001, "TASK_NOT_FOUND", "Task not found");
    return task;
  }

  /** An early task makes one step for each time that it is asked for, so no clock decides. */
  #advance(task: Task): void {
    if (!task.due) return;
    if (task.state === "submitted") settle(task, { state: "working" });
    else {
      settle(task, task.due);
      delete task.due;
    }
  }
}

type Operation = "send" | "stream" | "get" | "list" | "cancel" | "subscribe" | "push" | "extended";

const operations: Readonly<Record<Version, Readonly<Record<string, Operation>>>> = {
  "1.0": {
    SendMessage: "send",
    SendStreamingMessage: "stream",
    GetTask: "get",
    ListTasks: "list",
    CancelTask: "cancel",
    SubscribeToTask: "subscribe",
    CreateTaskPushNotificationConfig: "push",
    GetTaskPushNotificationConfig: "push",
    ListTaskPushNotificationConfigs: "push",
    DeleteTaskPushNotificationConfig: "push",
    GetExtendedAgentCard: "extended",
  },
  "0.3": {
    "message/send": "send",
    "message/stream": "stream",
    "tasks/get": "get",
    "tasks/cancel": "cancel",
    "tasks/resubscribe": "subscribe",
    "tasks/pushNotificationConfig/set": "push",
    "tasks/pushNotificationConfig/get": "push",
    "tasks/pushNotificationConfig/list": "push",
    "tasks/pushNotificationConfig/delete": "push",
    "agent/getAuthenticatedExtendedCard": "extended",
  },
};

interface Call {
  readonly operation: Operation;
  readonly params: Fields;
}

function restCall(method: string | undefined, path: string, body: string, query: URLSearchParams): Call {
  if (method === "POST" && path === "/message:send") return { operation: "send", params: fieldsIn(body) };
  if (method === "POST" && path === "/message:stream") return { operation: "stream", params: fieldsIn(body) };
  if (method === "GET" && path === "/tasks") return { operation: "list", params: Object.fromEntries(query) };
  if (method === "GET" && path === "/extendedAgentCard") return { operation: "extended", params: {} };
  const [, id, verb] = /^\/tasks\/([^/:]+)(?::(\w+)|\/pushNotificationConfigs.*)?$/.exec(path) ?? [];
  if (id === undefined) throw new Refusal(-32601, "", "No such path");
  if (path.includes("/pushNotificationConfigs")) return { operation: "push", params: { id } };
  if (verb === "cancel" || verb === "subscribe") return { operation: verb, params: { id } };
  return { operation: "get", params: { id, ...Object.fromEntries(query) } };
}

const now = (): string => new Date().toISOString();

const isOver = ({ state }: Task): boolean => state === "completed" || state === "canceled";

function settle(task: Task, reply: Outcome): void {
  const { state, chunks, data, says } = reply;
  task.state = state;
  task.changed = now();
  if (says !== undefined) task.says = says;
  if (chunks) task.artifact = { id: randomUUID(), chunks, ...(data && { data }) };
}

const stateWord = (state: State, version: Version): string =>
  version === "1.0" ? `TASK_STATE_${state.toUpperCase().replace("-", "_")}` : state;

const textPart = (text: string, version: Version): Fields => (version === "1.0" ? { text } : { kind: "text", text });

const agentMessage = (text: string, version: Version, ids: Fields): Fields => ({
  ...(version === "0.3" && { kind: "message" }),
  messageId: randomUUID(),
  role: version === "1.0" ? "ROLE_AGENT" : "agent",
  parts: [textPart(text, version)],
  ...ids,
});

const statusOf = ({ id, contextId, state, says, changed }: Task, version: Version): Fields => ({
  state: stateWord(state, version),
  timestamp: changed,
  ...(says !== undefined && { message: agentMessage(says, version, { taskId: id, contextId }) }),
});

/** Returns the artifact of a task in the pieces in which it is streamed. */
function artifactChunks({ artifact }: Task, version: Version): Fields[] {
  if (!artifact) return [];
  const { id, chunks, data } = artifact;
  return chunks.map((text, index) => ({
    artifactId: id,
    name: "answer",
    parts: [
      textPart(text, version),
      ...(data && index === chunks.length - 1 ? [version === "1.0" ? { data } : { kind: "data", data }] : []),
    ],
  }));
}

function inVersion(task: Task, version: Version, historyLength?: unknown): Fields {
  const chunks = artifactChunks(task, version);
  const whole = chunks.length ? [{ ...chunks[0], parts: chunks.flatMap(({ parts }) => parts) }] : [];
  const kept = historyLength === undefined ? task.history : task.history.slice(-Number(historyLength));
  const history = Number(historyLength) === 0 ? [] : kept;
  return {
    ...(version === "0.3" && { kind: "task" }),
    id: task.id,
    contextId: task.contextId,
    status: statusOf(task, version),
    ...(whole.length && { artifacts: whole }),
    ...(history.length && { history }),
  };
}

type EventKind = "task" | "message" | "statusUpdate" | "artifactUpdate";

const olderKinds = {
  statusUpdate: "status-update",
  artifactUpdate: "artifact-update",
  task: "task",
  message: "message",
};

const wrapped = (kind: EventKind, event: Fields, version: Version): Fields =>
  version === "1.0" ? { [kind]: event } : { kind: olderKinds[kind], ...event };

const errorInfo = (reason: string): Fields => ({
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason,
  domain: "a2a-protocol.org",
});

function httpStatus(code: number): readonly [number, string] {
  if (code === -32001 || code === -32601) return [404, "NOT_FOUND"];
  if (code === -32602 || code === -32700 || code === -32005) return [400, "INVALID_ARGUMENT"];
  return [400, "FAILED_PRECONDITION"];
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const fieldsIn = (text: string): Fields => fieldsOf(parsed(text));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(-32700, "", "Invalid JSON payload");
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  request.setEncoding("utf8");
  for await (const piece of request) text += piece as string;
  return text;
}

function sendJson(response: ServerResponse, status: number, body: unknown, type = "application/json"): void {
  response.writeHead(status, { "content-type": type });
  response.end(JSON.stringify(body));
}
