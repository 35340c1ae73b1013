import { randomUUID } from "node:crypto";
import { connect, findCard, peerOf, troubleJson } from "@assay/library/connection";
import { type AnswerOf, isTerminal, type JsonValue, type Message, newestFirst } from "@assay/protocol";
import { type Peer, timeLimit } from "@assay/wire";
import { z } from "zod";
import { accessArguments, accessTo } from "../agent-access.ts";
import { ArgumentError } from "../argument-error.ts";
import { type Tool, type ToolContext, tool } from "../tool.ts";
import { untrusted, untrustedText } from "../untrusted.ts";

const input = z.strictObject({
  ...accessArguments,
  text: z.string().min(1).describe("text of the message").optional(),
  data: z.json().describe("JSON data to send as a part").optional(),
  task_id: z.string().describe("continue this task").optional(),
  context_id: z.string().describe("continue this context").optional(),
  binding: z.enum(["JSONRPC", "HTTP+JSON", "GRPC"]).optional(),
  version: z.enum(newestFirst).optional(),
  max_chars: z.number().int().min(200).max(20_000).describe("limit of each text (default: 2000)").optional(),
});

const output = z.strictObject({
  answer: z.enum(["task", "message", "error", "malformed", "invalid", "failure"]),
  state: z.string().optional(),
  task_id: untrustedText.optional(),
  context_id: untrustedText.optional(),
  text: untrustedText.optional().describe("the text parts of the answer"),
  details: untrustedText.describe("the answer as JSON, or what went wrong"),
});

export const sendMessageTool = ({ operator, budget }: ToolContext): Tool =>
  tool({
    name: "send_message",
    title: "Send a message to an A2A agent",
    description:
      "Sends one message to an A2A agent and returns its answer. The agent works on it, which may cost a model call.",
    annotations: { readOnlyHint: false, openWorldHint: true },
    input,
    output,
    async run(
      { text, data, task_id, context_id, binding, version, max_chars = 2_000, ...given },
      { signal, caller, masked },
    ) {
      const message = messageOf(text, data, { task_id, context_id });
      const access = await accessTo(given, operator);
      const reserved = budget.reserve(1);
      let sent = 0;
      const connection = await connect(access.url, access.values, caller, access.guard);
      try {
        const found = await findCard(access.url, connection, signal);
        const wanted = { ...(binding && { binding }), ...(version && { dialect: version }) };
        const { peer } = await peerOf(connection, found, wanted, [], signal);
        if (signal.aborted) throw new ArgumentError("The call was cancelled before the message was sent.");
        sent = 1;
        const answer = await answerOf(peer, message, signal);
        if (answer.is === "value") return shown(masked(answer.value), max_chars);
        return {
          answer: answer.is,
          details: untrusted(masked(JSON.stringify(troubleJson(answer))), max_chars),
        };
      } finally {
        reserved.settle(sent);
        await connection.clients.close();
      }
    },
  });

/** The time that a cancelled call waits for the id of its task, in milliseconds. */
const patienceMs = 2_000;

/** Sends the message. If the call is cancelled, it cancels the task that the message started. */
async function answerOf(peer: Peer, message: Message, signal: AbortSignal) {
  const late = new AbortController();
  // Only the response contains the id of the task.
  signal.addEventListener("abort", () => setTimeout(() => late.abort(), patienceMs).unref(), { once: true });
  const answer = await peer.call("SendMessage", { message }, late.signal);
  if (!signal.aborted || answer.is !== "value" || message.taskId !== undefined) return answer;
  const { task } = answer.value;
  if (task && !isTerminal(task.status.state)) await peer.call("CancelTask", { id: task.id }, timeLimit(patienceMs));
  return answer;
}

function messageOf(
  text: string | undefined,
  data: JsonValue | undefined,
  { task_id, context_id }: { readonly task_id: string | undefined; readonly context_id: string | undefined },
): Message {
  const parts = [...(text === undefined ? [] : [{ text }]), ...(data === undefined ? [] : [{ data }])];
  if (parts.length === 0) throw new ArgumentError("Nothing to send: pass text or data.");
  return {
    messageId: randomUUID(),
    role: "ROLE_USER",
    parts,
    ...(task_id !== undefined && { taskId: task_id }),
    ...(context_id !== undefined && { contextId: context_id }),
  };
}

function shown({ task, message }: AnswerOf<"SendMessage">, most: number): z.infer<typeof output> {
  const parts = task
    ? [...(task.status?.message?.parts ?? []), ...(task.artifacts ?? []).flatMap((artifact) => artifact.parts)]
    : (message?.parts ?? []);
  const text = parts.flatMap((part) => part.text ?? []).join("\n");
  const [taskId, contextId, state] = [task?.id, task?.contextId ?? message?.contextId, task?.status?.state];
  return {
    answer: task ? "task" : "message",
    // A state outside the specification is free text of the agent.
    ...(state !== undefined && /^TASK_STATE_[A-Z_]{1,30}$/.test(state) && { state }),
    ...(taskId !== undefined && { task_id: untrusted(taskId) }),
    ...(contextId !== undefined && { context_id: untrusted(contextId) }),
    ...(text && { text: untrusted(text, most) }),
    details: untrusted(JSON.stringify(task ?? message), most),
  };
}
