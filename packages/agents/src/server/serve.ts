import {
  type Dialect,
  type DialectExchange,
  isTerminal,
  type JsonObject,
  type JsonValue,
  type StreamResponse,
} from "@assay/protocol/core";
import type { CodecContext } from "../definition/layers.ts";
import type { ServerBinding } from "./binding.ts";
import { invoke } from "./invoke.ts";

/** Serves one request, from its bytes to the end of its answer, over whichever binding it came. */
export async function serveRequest(binding: ServerBinding): Promise<void> {
  let isOver = () => {};
  try {
    const request = await binding.read();
    const { outcome, headers, over } = await invoke(request, binding);
    isOver = over;
    const { operation, exchange } = request;
    if (outcome.events) {
      await sendEvents(binding, outcome.events, exchange, headers);
      return;
    }
    const answer = binding.dialect.writeAnswer(operation, outcome.answer as never, exchange);
    binding.answer(encode(binding, "answer", answer), headers);
    binding.context.succeeded();
  } catch (thrown) {
    binding.error(thrown, (body) => encode(binding, "error", body));
  } finally {
    isOver();
  }
}

/** Sends the events of a stream in order, no faster than the client reads. */
async function sendEvents(
  binding: ServerBinding,
  events: AsyncIterable<StreamResponse>,
  exchange: DialectExchange | undefined,
  headers: Record<string, string>,
): Promise<void> {
  const { dialect } = binding;
  const isSubscribing = binding.context.operation === "SubscribeToTask";
  const stream = binding.events(headers);
  binding.context.succeeded();
  const close = binding.context.streaming();
  try {
    for await (const event of events) {
      const isWaiting = dialect.version !== "1.0" && isSubscribing && waitsForInput(event);
      for (const frame of isWaiting ? closingFrames(event, dialect, exchange) : framesOf(event, dialect, exchange)) {
        const behind = stream.send(encode(binding, "event", frame));
        if (behind) await behind;
        if (stream.closed) return;
      }
      if (isWaiting) break;
    }
    stream.end();
  } finally {
    close();
  }
}

/** The JSON of one event as a dialect writes it. */
function framesOf(
  event: StreamResponse,
  dialect: Dialect,
  exchange: DialectExchange | undefined,
): readonly JsonValue[] {
  if (dialect.version === "1.0") return [event as unknown as JsonObject];
  return dialect.writeEvents(event, exchange, { last: closesStream(event) });
}

/** The task that opens a subscription waits for its user: before 1.0 the stream ends there. */
const waitsForInput = ({ task }: StreamResponse): boolean => task?.status.state === "TASK_STATE_INPUT_REQUIRED";

/** The task as it waits, and the status that is marked as the final one; 0.1 has no event for a task. */
function closingFrames(
  event: StreamResponse,
  dialect: Dialect,
  exchange: DialectExchange | undefined,
): readonly JsonValue[] {
  const { id: taskId, contextId = "", status } = event.task!;
  if (dialect.version === "0.1") return dialect.writeEvents(event, exchange, { last: true });
  const statusUpdate = { taskId, contextId, status };
  return [...dialect.writeEvents(event, exchange), ...dialect.writeEvents({ statusUpdate }, exchange, { last: true })];
}

/** Whether the stream ends behind this event: the engine closes it there. */
function closesStream({ message, statusUpdate }: StreamResponse): boolean {
  const state = statusUpdate?.status.state;
  return message !== undefined || (state !== undefined && (isTerminal(state) || state === "TASK_STATE_INPUT_REQUIRED"));
}

/** JSON as it leaves: here the codec layer of an agent takes effect, on all bindings. */
function encode({ context, dialect }: ServerBinding, is: CodecContext["is"], json: JsonValue): JsonValue {
  const { host, binding, operation } = context;
  const codec = host.definition.layers?.codec;
  return codec ? codec(json, { is, binding, dialect, operation }) : json;
}
