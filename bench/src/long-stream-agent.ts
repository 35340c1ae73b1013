import type { ServerResponse } from "node:http";
import { type Respond, serveAgent } from "./json-rpc-agent.ts";

/** Runs an agent whose every stream has this many bytes, in chunks of an artifact. */
const [bytes] = process.argv.slice(2).map(Number);
const chunk = "x".repeat(64 * 1024);
const contextId = "context";
const tasks = new Map<string, object>();

function newTask(state: string): { readonly id: string } {
  const id = `task-${tasks.size}`;
  tasks.set(id, { id, contextId, status: statusIn("TASK_STATE_COMPLETED") });
  return { id, contextId, status: statusIn(state) } as { readonly id: string };
}

const statusIn = (state: string) => ({ state, timestamp: new Date().toISOString() });

function answer(method: string, params: { readonly id?: string } | undefined): object {
  if (method === "SendMessage") return { result: { task: newTask("TASK_STATE_COMPLETED") } };
  const task = tasks.get(params?.id ?? "");
  switch (method) {
    case "GetTask":
      return task ? { result: task } : { error: { code: -32001, message: "Task not found" } };
    case "CancelTask":
      return { error: task ? { code: -32002, message: "It has ended" } : { code: -32001, message: "Task not found" } };
    default:
      return { error: { code: -32601, message: "Method not found" } };
  }
}

async function stream(response: ServerResponse, respond: Respond): Promise<void> {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const task = newTask("TASK_STATE_WORKING");
  const ids = { taskId: task.id, contextId };
  let goOn = (): void => {};
  for (const event of ["drain", "close"]) response.on(event, () => goOn());
  const send = (result: object): Promise<void> =>
    new Promise((resolve) => {
      goOn = resolve;
      if (response.write(`data: ${respond({ result })}\n\n`) || response.destroyed) resolve();
    });
  await send({ task });
  for (let sent = 0; sent < bytes! && !response.destroyed; sent += chunk.length) {
    const artifact = { artifactId: "chunks", parts: [{ text: chunk }] };
    const lastChunk = sent + chunk.length >= bytes!;
    await send({ artifactUpdate: { ...ids, artifact, append: sent > 0, lastChunk } });
  }
  await send({ statusUpdate: { ...ids, status: statusIn("TASK_STATE_COMPLETED") } });
  response.end();
}

const description = "Streams an artifact of many chunks.";
serveAgent({ name: "Long stream", description, capabilities: { streaming: true } }, answer, stream);
