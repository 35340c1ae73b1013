import type { ServerResponse } from "node:http";
import { type Params, type Respond, serveAgent } from "./json-rpc-agent.ts";

/** Runs an agent whose every task has this many artifacts. */
const [count] = process.argv.slice(2).map(Number);
const contextId = "context";
const artifacts = Array.from({ length: count! }, (_, index) => ({
  artifactId: `artifact-${index}`,
  name: `Artifact ${index}`,
  parts: [{ text: `The text of artifact ${index}.` }],
}));
const statusIn = (state: string) => ({ state, timestamp: new Date().toISOString() });
const tasks = new Map<string, object>();

function newTask() {
  const task = { id: `task-${tasks.size}`, contextId, status: statusIn("TASK_STATE_COMPLETED"), artifacts };
  tasks.set(task.id, task);
  return task;
}

function answer(method: string, params: Params): object {
  if (method === "SendMessage") return { result: { task: newTask() } };
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
  const { artifacts: made, ...task } = newTask();
  const ids = { taskId: task.id, contextId };
  const events = [
    { task: { ...task, status: statusIn("TASK_STATE_WORKING") } },
    ...made.map((artifact) => ({ artifactUpdate: { ...ids, artifact, lastChunk: true } })),
    { statusUpdate: { ...ids, status: task.status } },
  ];
  response.end(events.map((result) => `data: ${respond({ result })}\n\n`).join(""));
}

const description = "Answers every message with a task of many artifacts.";
serveAgent({ name: "Many artifacts", description, capabilities: { streaming: true } }, answer, stream);
