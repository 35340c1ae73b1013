import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject, JsonValue } from "@assay/protocol";

// An agent of A2A 1.0 over JSON-RPC, written from the specification alone: it shares no code with the test bed. It answers to the
// words of the TCK, and its plain task has no artifact.

/** What may be wrong with it. */
export type Fault = "lists-artifacts" | "two-members" | "no-completion" | "push-not-served" | "lenient";

export interface ForeignAgent {
  readonly url: string;
  close(): Promise<void>;
}

interface Setup {
  readonly fault?: Fault;
  /** milliseconds that a slow task takes */
  readonly slowMs: number;
  /** milliseconds that a task takes that no prompt of the TCK asks for */
  readonly plainMs?: number;
  /** milliseconds that an answer is late, at random up to this */
  readonly latencyMs?: number;
  /** milliseconds that the answer to every operation on push configurations is late */
  readonly configsLateMs?: number;
}

interface Task {
  readonly id: string;
  readonly contextId: string;
  status: JsonObject;
  readonly history: JsonObject[];
  readonly artifacts: JsonObject[];
  readonly configs: Map<string, JsonObject>;
  readonly watchers: Set<(event: JsonObject) => void>;
  changed: number;
}

/** What a message brings about. */
interface Work {
  readonly ms: number;
  readonly parts?: JsonObject[];
  readonly end?: string;
}

class RpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const reasons: Readonly<Record<number, string>> = {
  [-32001]: "TASK_NOT_FOUND",
  [-32002]: "TASK_NOT_CANCELABLE",
  [-32003]: "PUSH_NOTIFICATION_NOT_SUPPORTED",
  [-32004]: "UNSUPPORTED_OPERATION",
  [-32009]: "VERSION_NOT_SUPPORTED",
};
const ended = ["COMPLETED", "CANCELED", "FAILED", "REJECTED"].map((state) => `TASK_STATE_${state}`);
const states = [...ended, "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_INPUT_REQUIRED"];
const isOver = ({ status }: Task): boolean => ended.includes(String(status["state"]));
const invalid = (what: string): RpcError => new RpcError(-32602, what);
const asObject = (value: unknown): JsonObject => (value ?? {}) as JsonObject;

export async function startForeignAgent({
  fault,
  slowMs,
  plainMs = 1,
  latencyMs = 0,
  configsLateMs = 0,
}: Setup): Promise<ForeignAgent> {
  const tasks = new Map<string, Task>();
  let changes = 0;

  const shown = (task: Task, historyLength?: JsonValue): JsonObject => {
    const history = historyLength === undefined ? task.history : task.history.slice(-Number(historyLength));
    return {
      id: task.id,
      contextId: task.contextId,
      status: task.status,
      ...(historyLength !== 0 && { history }),
      ...(task.artifacts.length && { artifacts: [...task.artifacts] }),
    };
  };

  const tell = (task: Task, event: JsonObject): void => {
    for (const watcher of task.watchers) watcher(event);
    if (fault === "no-completion" && isOver(task)) return;
    for (const { url, token, authentication } of task.configs.values()) {
      const { scheme, credentials } = asObject(authentication);
      const headers = {
        "content-type": "application/a2a+json",
        ...(scheme !== undefined && { authorization: `${scheme} ${credentials}` }),
        ...(token !== undefined && { "x-a2a-notification-token": String(token) }),
      };
      void fetch(String(url), { method: "POST", headers, body: JSON.stringify(event) }).catch(() => {});
    }
  };

  const become = (task: Task, state: string): void => {
    task.status = { state, timestamp: new Date().toISOString() };
    task.changed = ++changes;
    tell(task, { statusUpdate: { taskId: task.id, contextId: task.contextId, status: task.status } });
  };

  const file =
    fault === "two-members"
      ? { text: "a file", url: "https://example.com/a.txt" }
      : { url: "https://example.com/a.txt" };
  const works: Readonly<Record<string, Work>> = {
    "tck-artifact-file-url": { ms: 1, parts: [file] },
    "tck-artifact-file": { ms: 1, parts: [{ raw: "YQ==", filename: "a.txt", mediaType: "text/plain" }] },
    "tck-artifact-data": { ms: 1, parts: [{ data: { a: 1 }, mediaType: "application/json" }] },
    "tck-stream": { ms: 10, parts: [{ text: "a text" }] },
    "tck-input-required": { ms: 1, end: "TASK_STATE_INPUT_REQUIRED" },
    "tck-reject-task": { ms: 1, end: "TASK_STATE_REJECTED" },
    "test-resubscribe": { ms: slowMs },
  };

  const workOn = async (task: Task, { ms, parts, end = "TASK_STATE_COMPLETED" }: Work): Promise<void> => {
    become(task, "TASK_STATE_WORKING");
    await delay(ms);
    if (isOver(task)) return;
    if (parts) {
      const artifact = { artifactId: randomUUID(), parts };
      task.artifacts.push(artifact);
      tell(task, { artifactUpdate: { taskId: task.id, contextId: task.contextId, artifact } });
    }
    become(task, end);
  };

  const find = (id: JsonValue | undefined): Task => {
    if (typeof id !== "string" || id === "") throw invalid("id is required");
    const task = tasks.get(id);
    if (!task) throw new RpcError(-32001, "no such task");
    return task;
  };

  const configured = (task: Task, given: JsonObject): JsonObject => {
    if (fault === "push-not-served") throw new RpcError(-32003, "push notifications are not served");
    if (!URL.canParse(String(given["url"]))) throw invalid("url is required");
    if (given["authentication"] && !asObject(given["authentication"])["scheme"]) throw invalid("scheme is required");
    const config = { ...given, id: String(given["id"] || randomUUID()), taskId: task.id };
    task.configs.set(config.id, config);
    return config;
  };

  const checked = (message: JsonObject): JsonObject => {
    const { messageId, role, parts } = message;
    if (fault === "lenient") return { ...message, messageId: messageId || randomUUID() };
    const isPart = (part: JsonValue): boolean =>
      ["text", "raw", "url", "data"].filter((member) => member in asObject(part)).length === 1;
    const isWhole = typeof messageId === "string" && messageId !== "" && role === "ROLE_USER";
    if (!isWhole || !Array.isArray(parts) || parts.length === 0 || !parts.every(isPart)) throw invalid("message");
    return message;
  };

  /** The task that a message begins or goes on with; undefined where it is answered with a message. */
  const begin = (params: JsonObject): Task | undefined => {
    const message = checked(asObject(params["message"]));
    const id = String(message["messageId"]);
    if (id.startsWith("tck-message-response")) return undefined;
    const known = message["taskId"] === undefined || fault === "lenient" ? undefined : find(message["taskId"]);
    if (known && isOver(known)) throw new RpcError(-32004, "the task has ended");
    if (known && message["contextId"] !== undefined && message["contextId"] !== known.contextId)
      throw invalid("contextId");
    const task: Task = known ?? {
      id: randomUUID(),
      contextId: String(message["contextId"] ?? randomUUID()),
      status: { state: "TASK_STATE_SUBMITTED", timestamp: new Date().toISOString() },
      history: [],
      artifacts: [],
      configs: new Map(),
      watchers: new Set(),
      changed: ++changes,
    };
    task.history.push({ ...message, taskId: task.id, contextId: task.contextId });
    const push = asObject(params["configuration"])["taskPushNotificationConfig"];
    if (push) configured(task, asObject(push));
    tasks.set(task.id, task);
    const word = Object.keys(works).find((prefix) => id.startsWith(prefix));
    setImmediate(() => void workOn(task, (word !== undefined && works[word]) || { ms: plainMs }));
    return task;
  };

  const atRest = (task: Task): Promise<void> =>
    new Promise((resolve) => {
      const watcher = (event: JsonObject): void => {
        const { state } = asObject(asObject(event["statusUpdate"])["status"]);
        if (!ended.includes(String(state)) && state !== "TASK_STATE_INPUT_REQUIRED") return;
        task.watchers.delete(watcher);
        resolve();
      };
      task.watchers.add(watcher);
    });

  const direct = (): JsonObject => ({ messageId: randomUUID(), role: "ROLE_AGENT", parts: [{ text: "OK" }] });

  const list = (params: JsonObject): JsonObject => {
    const { pageSize = 50, pageToken, contextId, status, statusTimestampAfter: after, historyLength = 0 } = params;
    const size = Number(pageSize);
    if (!Number.isInteger(size) || size < 1 || size > 100 || Number(historyLength) < 0) throw invalid("pageSize");
    if (status !== undefined && !states.includes(String(status))) throw invalid("status");
    if (after !== undefined && Number.isNaN(Date.parse(String(after)))) throw invalid("statusTimestampAfter");
    if (pageToken && !/^\d+$/.test(String(pageToken))) throw invalid("pageToken");
    const fitting = [...tasks.values()]
      .filter((task) => contextId === undefined || task.contextId === contextId)
      .filter((task) => status === undefined || task.status["state"] === status)
      .filter((task) => after === undefined || String(task.status["timestamp"]) >= String(after))
      .toSorted((a, b) => b.changed - a.changed);
    const rest = fitting.filter(({ changed }) => !pageToken || changed < Number(pageToken));
    const page = rest.slice(0, size);
    const bare = (task: Task): JsonObject => {
      const { artifacts, ...others } = shown(task, historyLength);
      const isAsked = params["includeArtifacts"] === true || fault === "lists-artifacts";
      return isAsked && artifacts !== undefined ? { ...others, artifacts } : others;
    };
    const nextPageToken = rest.length > size ? String(page.at(-1)!.changed) : "";
    return { tasks: page.map(bare), nextPageToken, pageSize: size, totalSize: fitting.length };
  };

  const configOf = ({ taskId, id }: JsonObject): [Task, string] => {
    const task = find(taskId);
    if (fault === "push-not-served") throw new RpcError(-32003, "push notifications are not served");
    if (typeof id !== "string" || id === "") throw invalid("id is required");
    return [task, id];
  };

  const operations: Readonly<Record<string, (params: JsonObject) => JsonObject | Promise<JsonObject>>> = {
    async SendMessage(params) {
      const task = begin(params);
      if (!task) return { message: direct() };
      const { returnImmediately, historyLength } = asObject(params["configuration"]);
      if (!returnImmediately) await atRest(task);
      return { task: shown(task, historyLength) };
    },
    GetTask({ id, historyLength }) {
      if (Number(historyLength) < 0) throw invalid("historyLength");
      return shown(find(id), historyLength);
    },
    ListTasks: list,
    CancelTask({ id }) {
      const task = find(id);
      if (isOver(task)) throw new RpcError(-32002, "the task has ended");
      become(task, "TASK_STATE_CANCELED");
      return shown(task);
    },
    CreateTaskPushNotificationConfig: (params) => configured(find(params["taskId"]), params),
    GetTaskPushNotificationConfig(params) {
      const [task, id] = configOf(params);
      const config = task.configs.get(id);
      if (!config) throw new RpcError(-32001, "no such configuration");
      return config;
    },
    ListTaskPushNotificationConfigs({ taskId }) {
      const task = find(taskId);
      if (fault === "push-not-served") throw new RpcError(-32003, "push notifications are not served");
      return { configs: [...task.configs.values()] };
    },
    DeleteTaskPushNotificationConfig(params) {
      const [task, id] = configOf(params);
      task.configs.delete(id);
      return {};
    },
    GetExtendedAgentCard() {
      throw new RpcError(-32004, "there is no extended card");
    },
  };

  const stream = (id: JsonValue, method: string, params: JsonObject, response: ServerResponse): void => {
    const task = method === "SubscribeToTask" ? find(params["id"]) : begin(params);
    if (task && isOver(task)) throw new RpcError(-32004, "the task has ended");
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (result: JsonObject): unknown =>
      response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    const { historyLength } = asObject(params["configuration"]);
    send(task ? { task: shown(task, historyLength) } : { message: direct() });
    if (!task) return void response.end();
    task.watchers.add(send);
    response.on("close", () => task.watchers.delete(send));
    void atRest(task).then(() => response.end());
  };

  const failure = (id: JsonValue, error: unknown): JsonObject => {
    const { code = -32603, message } = error as RpcError;
    const reason = reasons[code];
    const details = {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: reason ?? "",
      domain: "a2a-protocol.org",
    };
    return { jsonrpc: "2.0", id, error: { code, message, ...(reason !== undefined && { data: [details] }) } };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (latencyMs) await delay(Math.random() * latencyMs);
    const reply = (json: JsonObject, status = 200): void => {
      response.writeHead(status, { "content-type": "application/json", "cache-control": "max-age=60" });
      response.end(JSON.stringify(json));
    };
    if (request.url === "/.well-known/agent-card.json") return reply(card(url));
    if (request.url !== "/rpc" || request.method !== "POST") return reply({}, 404);
    let body = "";
    for await (const chunk of request) body += String(chunk);
    let id: JsonValue = null;
    try {
      const call = parsed(body);
      id = call["id"] ?? null;
      const { jsonrpc, method, params = {} } = call;
      if (jsonrpc !== "2.0" || typeof method !== "string") throw new RpcError(-32600, "not a request");
      if (!/^1\.0/.test(String(request.headers["a2a-version"] ?? "1.0"))) throw new RpcError(-32009, "version");
      if (typeof params !== "object" || params === null || Array.isArray(params)) throw invalid("params");
      if (method === "SendStreamingMessage" || method === "SubscribeToTask")
        return stream(id, method, params, response);
      const operation = Object.hasOwn(operations, method) ? operations[method] : undefined;
      if (!operation) throw new RpcError(-32601, "no such method");
      if (configsLateMs && method.includes("PushNotificationConfig")) await delay(configsLateMs);
      reply({ jsonrpc: "2.0", id, result: await operation(params) });
    } catch (error) {
      reply(failure(id, error));
    }
  };

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function parsed(body: string): JsonObject {
  try {
    const json = JSON.parse(body) as JsonValue;
    if (typeof json === "object" && json !== null && !Array.isArray(json)) return json;
  } catch {
    throw new RpcError(-32700, "not JSON");
  }
  throw new RpcError(-32600, "not a request");
}

const card = (url: string): JsonObject => ({
  name: "Foreign Agent",
  description: "Answers to the words of the TCK.",
  version: "1.0.0",
  supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "words", name: "Words", description: "Answers to words.", tags: ["words"] }],
});
