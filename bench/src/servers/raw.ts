import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveParent } from "./child.ts";

/**
 * The upper limit: plain node:http that reads and writes the same JSON. It has no validation, versions, limits or
 * back-pressure, and only the measured routes.
 */
interface RawTask {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string; readonly timestamp: string };
  readonly artifacts: unknown[];
  readonly history: unknown[];
}

interface Sent {
  readonly message: { readonly parts: { readonly text: string }[]; contextId?: string; taskId?: string };
}

const tasks = new Map<string, RawTask>();
const newest: RawTask[] = [];

function send({ message }: Sent): unknown {
  const said = message.parts[0]!.text;
  const contextId = randomUUID();
  if (!said.startsWith("task-lifecycle")) {
    const parts = [{ text: `[message-only] You said: ${said}` }];
    return { message: { messageId: randomUUID(), contextId, role: "ROLE_AGENT", parts } };
  }
  const id = randomUUID();
  const task: RawTask = {
    id,
    contextId,
    status: { state: "TASK_STATE_COMPLETED", timestamp: new Date().toISOString() },
    artifacts: [{ artifactId: "result", name: "result", parts: [{ text: `[task-lifecycle] Processed: ${said}` }] }],
    history: [{ ...message, contextId, taskId: id }],
  };
  tasks.set(id, task);
  newest.push(task);
  return { task };
}

function list(): unknown {
  const page = newest
    .slice(-50)
    .reverse()
    .map(({ artifacts: _, ...task }) => task);
  return { tasks: page, nextPageToken: newest.length > 50 ? "more" : "", pageSize: 50, totalSize: newest.length };
}

function stream({ message }: Sent, response: ServerResponse, wrap: (event: unknown) => unknown): void {
  const count = Number(message.parts[0]!.text.split(" ")[1]);
  const [taskId, contextId] = [randomUUID(), randomUUID()];
  const status = (state: string) => ({ state, timestamp: new Date().toISOString() });
  const write = (event: unknown) => response.write(`data: ${JSON.stringify(wrap(event))}\n\n`);
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  write({ task: { id: taskId, contextId, status: status("TASK_STATE_SUBMITTED"), history: [message] } });
  write({ statusUpdate: { taskId, contextId, status: status("TASK_STATE_WORKING") } });
  for (let chunk = 1; chunk <= count; chunk++) {
    const artifact = { artifactId: "chunks", name: "chunks", parts: [{ text: `${chunk} `.padEnd(16, ".") }] };
    write({ artifactUpdate: { taskId, contextId, artifact, append: chunk > 1 } });
  }
  write({ statusUpdate: { taskId, contextId, status: status("TASK_STATE_COMPLETED") } });
  response.end();
}

function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  const path = request.url!;
  const reply = (value: unknown) => {
    const json = JSON.stringify(value);
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(json) });
    response.end(json);
  };
  if (path === "/spec") {
    const { id, method, params } = JSON.parse(body);
    const result = (value: unknown) => ({ jsonrpc: "2.0", id, result: value });
    if (method === "SendMessage") reply(result(send(params)));
    else if (method === "GetTask") reply(result(tasks.get(params.id)));
    else if (method === "ListTasks") reply(result(list()));
    else stream(params, response, result);
  } else if (path === "/spec/message:send") reply(send(JSON.parse(body)));
  else if (path === "/spec/message:stream") stream(JSON.parse(body), response, (event) => event);
  else if (path === "/spec/tasks") reply(list());
  else reply(tasks.get(path.slice("/spec/tasks/".length)));
}

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => answer(request, response, body));
}).listen(0, "127.0.0.1", () => serveParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}/spec`));
