import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface CredulousAgent {
  readonly url: string;
  /** how often each binding was made to work */
  readonly sends: { JSONRPC: number; "HTTP+JSON": number };
  close(): Promise<void>;
}

/** Asked before anything else; answers itself, or leaves it to the agent. */
type Doorman = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Validates nothing: whatever looks like a send, by whatever name and with whatever in it, makes it a task. */
export async function startCredulous(doorman: Doorman = () => false): Promise<CredulousAgent> {
  const sends = { JSONRPC: 0, "HTTP+JSON": 0 };
  const tasks = new Map<string, object>();
  const newTask = (on: keyof typeof sends): object => {
    sends[on] += 1;
    const task = { id: randomUUID(), contextId: randomUUID(), status: { state: "TASK_STATE_COMPLETED" } };
    tasks.set(task.id, task);
    return task;
  };
  const json = (response: ServerResponse, status: number, body: object, type = "application/json"): void => {
    response.writeHead(status, { "Content-Type": type });
    response.end(JSON.stringify(body));
  };
  const stream = (response: ServerResponse, event: object): void => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.end(`data: ${JSON.stringify(event)}\n\n`);
  };

  const rpc = (body: Record<string, unknown>, response: ServerResponse): void => {
    const { id = null, params } = body;
    const method = String(body["method"]);
    const answer = (rest: object): object => ({ jsonrpc: "2.0", id, ...rest });
    const task = tasks.get(String((params as { id?: unknown } | undefined)?.id));
    if (/^SendStreaming|stream$/.test(method)) stream(response, answer({ result: { task: newTask("JSONRPC") } }));
    else if (/send/i.test(method)) json(response, 200, answer({ result: { task: newTask("JSONRPC") } }));
    else if (method === "GetTask" && task) json(response, 200, answer({ result: task }));
    else {
      const code = ["GetTask", "CancelTask", "SubscribeToTask"].includes(method) ? -32001 : -32601;
      json(response, 200, answer({ error: { code, message: "no" } }));
    }
  };
  const rest = (path: string, response: ServerResponse): void => {
    const type = "application/a2a+json";
    const task = tasks.get(path.split("/").at(-1) ?? "");
    if (path.endsWith("/message:stream")) stream(response, { task: newTask("HTTP+JSON") });
    else if (path.endsWith("/message:send")) json(response, 200, { task: newTask("HTTP+JSON") }, type);
    else json(response, task ? 200 : 404, task ?? notFound, type);
  };

  const server = createServer(async (request, response) => {
    if (doorman(request, response)) return;
    let text = "";
    for await (const chunk of request) text += chunk;
    const path = request.url ?? "/";
    if (path.endsWith("/agent-card.json")) json(response, 200, cardAt(url));
    else if (path.startsWith("/rest")) rest(path, response);
    else if (path === "/rpc") rpc(parsed(text), response);
    else json(response, 404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, sends, close };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const notFound = {
  error: {
    code: 404,
    status: "NOT_FOUND",
    message: "There is no such task.",
    details: [
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" },
    ],
  },
};

const cardAt = (url: string): object => ({
  name: "Credulous",
  description: "Believes everything.",
  version: "1.0.0",
  supportedInterfaces: [
    { url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url: `${url}/rest`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
  ],
  capabilities: { streaming: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "believe", name: "Believe", description: "Believes.", tags: ["faith"] }],
});
