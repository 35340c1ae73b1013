import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/**
 * An agent over JSON-RPC that knows so many tasks and answers every list with all of them, whatever page was asked for.
 * Called with their number, it says in JSON where it listens.
 */
const [many] = process.argv.slice(2);
const contextId = "context";
const message = (id: string) => ({
  messageId: `message-${id}`,
  role: "ROLE_USER",
  parts: [{ text: "Reply with the word OK." }],
  taskId: id,
  contextId,
});
const task = (id: string) => ({
  id,
  contextId,
  status: { state: "TASK_STATE_COMPLETED", timestamp: "2026-11-16T08:00:00.000Z" },
  artifacts: [{ artifactId: "answer", parts: [{ text: "OK" }] }],
  history: [message(id)],
});
const known = new Map(Array.from({ length: Number(many) }, (_, index) => [`task-${index}`, task(`task-${index}`)]));

type Params = { readonly id?: string } | undefined;

interface Asked {
  readonly id?: string;
  readonly method?: string;
  readonly params?: Params;
}

function answer(method: string, params: Params): object {
  const found = known.get(params?.id ?? "");
  switch (method) {
    case "SendMessage": {
      const made = task(`task-${known.size}`);
      known.set(made.id, made);
      return { result: { task: made } };
    }
    case "GetTask":
      return found ? { result: found } : { error: { code: -32001, message: "Task not found" } };
    case "CancelTask":
      return { error: found ? { code: -32002, message: "It has ended" } : { code: -32001, message: "Task not found" } };
    case "ListTasks":
      return { result: { tasks: [...known.values()], nextPageToken: "", pageSize: known.size, totalSize: known.size } };
    default:
      return { error: { code: -32601, message: "Method not found" } };
  }
}

const server = createServer(async (request, response) => {
  const send = (body: object): void => {
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  };
  const { port } = server.address() as AddressInfo;
  if (request.method === "GET") return send(card(`http://127.0.0.1:${port}/`));
  try {
    const { id, method, params } = JSON.parse(await text(request)) as Asked;
    send({ jsonrpc: "2.0", id: id ?? null, ...answer(method ?? "", params) });
  } catch {
    send({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "No JSON" } });
  }
});

const card = (url: string) => ({
  name: "Long list",
  description: "Lists all its tasks at once.",
  version: "1",
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "answer", name: "Answer", description: "Answers.", tags: ["test"] }],
});

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
