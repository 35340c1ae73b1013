// The client of @a2a-js/sdk 0.2.5 as a command for `assay client`. It speaks JSON-RPC only.
import { A2AClient } from "a2a-sdk-0.2/client";
import { perform } from "./perform.mjs";

const textOf = (parts = []) => parts.map(({ text }) => text ?? "").join("");
const pieceOf = ({ artifactId, parts }) => ({ id: artifactId, text: textOf(parts) });

function shown({ kind, id, taskId = id, contextId, status, artifacts = [], artifact, append, parts }) {
  if (kind === "message") return { taskId, contextId, text: textOf(parts) };
  if (artifact) return { taskId, contextId, pieces: [{ ...pieceOf(artifact), append }] };
  return {
    taskId,
    contextId,
    state: status.state,
    text: textOf(status.message?.parts),
    pieces: artifacts.map(pieceOf),
  };
}

/** Throws an error response, which this SDK returns. */
function resultOf({ result, error }) {
  if (error) throw Object.assign(new Error(error.message), { name: `Error ${error.code}` });
  return shown(result);
}

await perform(async ({ url, bearer }) => {
  // It has no option for headers.
  if (bearer) return undefined;
  const client = new A2AClient(url);
  const params = ({ parts, ...message }, { wait = true } = {}) => ({
    ...(!wait && { configuration: { blocking: false } }),
    message: { ...message, kind: "message", role: "user", parts: parts.map((part) => ({ kind: "text", ...part })) },
  });
  async function* told(events) {
    for await (const event of events) yield shown(event);
  }
  return {
    send: async (message, how) => resultOf(await client.sendMessage(params(message, how))),
    stream: (message) => told(client.sendMessageStream(params(message))),
    subscribe: (id) => told(client.resubscribeTask({ id })),
    get: async (id) => resultOf(await client.getTask({ id })),
    cancel: async (id) => resultOf(await client.cancelTask({ id })),
  };
});
