import { randomUUID } from "node:crypto";
import type { AnswerOf, JsonObject, RequestOf, StreamResponse, UnaryOperation } from "@assay/protocol";

const post = (agent: string, method: string, params: object): Promise<Response> =>
  fetch(agent, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": "1.0" },
    body: JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method, params }),
  });

/** Calls an operation over JSON-RPC. Throws without a response or after an error. */
export async function asked<O extends UnaryOperation>(
  agent: string,
  operation: O,
  request: RequestOf<O>,
): Promise<AnswerOf<O>> {
  const response = await post(agent, operation, request);
  return resultOf(await response.json()) as AnswerOf<O>;
}

/** Yields the events of a stream as they arrive. Throws if the stream breaks. */
export async function* streamed(
  agent: string,
  operation: "SendStreamingMessage" | "SubscribeToTask",
  request: object,
): AsyncGenerator<StreamResponse> {
  const response = await post(agent, operation, request);
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    resultOf(await response.json());
    return;
  }
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = text.split("\n\n");
    text = events.pop()!;
    for (const event of events) {
      const data = event.split("\n").find((line) => line.startsWith("data:"));
      if (data) yield resultOf(JSON.parse(data.slice(5))) as StreamResponse;
    }
  }
}

function resultOf(answer: unknown): unknown {
  const { result, error } = answer as { result?: unknown; error?: JsonObject };
  if (error) throw new Error(String(error["message"]));
  return result;
}

export const message = (text: string, more: JsonObject = {}) => ({
  message: { messageId: randomUUID(), role: "ROLE_USER" as const, parts: [{ text }], ...more },
});
