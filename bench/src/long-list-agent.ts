import { type Params, serveAgent } from "./json-rpc-agent.ts";

/** Runs an agent that answers every ListTasks with all of its tasks, ignoring the page size. */
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

serveAgent({ name: "Long list", description: "Lists all its tasks at once.", capabilities: {} }, answer);
