import { randomUUID } from "node:crypto";
import {
  type Dialect,
  type DialectExchange,
  type DialectVersion,
  extensionsHeader,
  invalidParams,
  isObject,
  isStreaming,
  isTerminal,
  type JsonObject,
  type JsonValue,
  olderExtensionsHeader,
  type StreamResponse,
  startExchange,
} from "@assay/protocol/core";
import { type EventSource, type Invocation, scopeOf, type WebhookBody } from "../definition/call.ts";
import type { CodecContext } from "../definition/layers.ts";
import { callerAccount } from "./admission.ts";
import type { DecodedRequest, ServerBinding } from "./binding.ts";
import { dialectOf } from "./dialects.ts";
import type { ServedAgent } from "./served-agent.ts";

const nothing = (): void => {};

/** Serves one request over any binding, from its bytes to the end of its response. */
export async function serveRequest(binding: ServerBinding): Promise<void> {
  const { context } = binding;
  let isOver = nothing;
  try {
    const request = await binding.read();
    const { operation, exchange, caller } = request;
    // Reading a gRPC call may have changed all of these: its tenant can name another agent, whose
    // layers wrap the call.
    const { head, dialect } = binding;
    const { host } = context;
    const extensions = request.extensions ?? host.admission.extensions(head, host.definition);
    const read = dialect.readRequest(operation, normalised(host, request.json), exchange);
    if (read.violations) throw invalidParams(read.violations);
    host.admission.authorize(caller, operation, host.definition);
    const account = callerAccount(caller, head.remoteAddress);
    const tenant = host.admission.tenant(read.value.tenant, host.definition);
    if (host.quotas && isStreaming(operation)) isOver = host.quotas.openStream(account);
    const { version } = dialect;
    const outcome = await host.perform(operation, read.value, {
      scope: scopeOf(host.definition, tenant, caller),
      tenant,
      caller,
      account,
      extensions,
      authorization: head.headers.authorization,
      baseUrl: context.baseUrl,
      clientIds: version === "0.1",
      webhookBody: version === "1.0" ? undefined : webhookBodyIn(version),
      client: head,
    });
    const headers = headersOf(request, extensions, binding);
    if (outcome.events) return await sendEvents(binding, outcome.events, exchange, headers);
    const answer = dialect.writeAnswer(operation, outcome.answer as never, exchange);
    binding.answer(encode(binding, "answer", answer), headers);
    context.succeeded();
  } catch (thrown) {
    binding.error(thrown, (body) => encode(binding, "error", body));
  } finally {
    isOver();
  }
}

/** Returns the headers of a successful response. */
function headersOf(
  { operation }: DecodedRequest,
  extensions: Invocation["extensions"],
  { context, dialect }: ServerBinding,
): Record<string, string> {
  const headers: Record<string, string> = { ...context.headers };
  if (extensions.length) {
    const name = dialect.version === "1.0" ? extensionsHeader : olderExtensionsHeader;
    headers[name] = extensions.map(({ uri }) => uri).join(", ");
  }
  if (operation === "GetExtendedAgentCard") headers["Cache-Control"] = "private, no-store";
  return headers;
}

/** Moves misplaced fields of other suites to their place in the protocol, for agents with this habit. */
function normalised({ definition: { habits } }: ServedAgent, json: unknown): unknown {
  if (!habits || !isObject(json) || !isObject(json["message"])) return json;
  const message = { ...json["message"] };
  if (habits.missingMessageId && !message["messageId"]) message["messageId"] = randomUUID();
  if (habits.misplacedIds) {
    for (const name of ["taskId", "contextId"]) if (json[name] !== undefined) message[name] ??= json[name];
  }
  return { ...json, message };
}

/** Formats a task for webhooks of older versions. Both bindings of 0.3 use the same body. */
export const webhookBodyIn = (version: DialectVersion): WebhookBody => ({
  version,
  write: (task) => dialectOf(version).writeAnswer("GetTask", task, startExchange(randomUUID)),
});

/** Sends the events of a stream in order, no faster than the client reads. */
async function sendEvents(
  binding: ServerBinding,
  events: EventSource,
  exchange: DialectExchange | undefined,
  headers: Record<string, string>,
): Promise<void> {
  const { dialect } = binding;
  const isSubscribing = binding.context.operation === "SubscribeToTask";
  const stream = binding.events(headers);
  binding.context.succeeded();
  const close = binding.context.streaming();
  try {
    reading: for await (const first of events) {
      for (let event: StreamResponse | undefined = first; event; event = events.ready?.()) {
        const isWaiting = dialect.version !== "1.0" && isSubscribing && waitsForInput(event);
        for (const frame of isWaiting ? closingFrames(event, dialect, exchange) : framesOf(event, dialect, exchange)) {
          const behind = stream.send(encode(binding, "event", frame));
          if (behind) await behind;
          if (stream.closed) return;
        }
        if (isWaiting) break reading;
      }
    }
    stream.end();
  } finally {
    close();
  }
}

/** Encodes one event in a dialect. */
function framesOf(
  event: StreamResponse,
  dialect: Dialect,
  exchange: DialectExchange | undefined,
): readonly JsonValue[] {
  if (dialect.version === "1.0") return [event as unknown as JsonObject];
  return dialect.writeEvents(event, exchange, { last: closesStream(event) });
}

/** Returns true if the task that opens a subscription waits for input: before 1.0 the stream ends there. */
const waitsForInput = ({ task }: StreamResponse): boolean => task?.status.state === "TASK_STATE_INPUT_REQUIRED";

/** Returns the waiting task and its status marked as final; 0.1 has no event for a task. */
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

/** Returns true if the engine closes the stream after this event. */
function closesStream({ message, statusUpdate }: StreamResponse): boolean {
  const state = statusUpdate?.status.state;
  return message !== undefined || (state !== undefined && (isTerminal(state) || state === "TASK_STATE_INPUT_REQUIRED"));
}

/** Encodes outgoing JSON. The codec layer of an agent applies here, on all bindings. */
function encode({ context, dialect }: ServerBinding, is: CodecContext["is"], json: JsonValue): JsonValue {
  const { host, binding, operation } = context;
  const codec = host.definition.layers?.codec;
  return codec ? codec(json, { is, binding, dialect, operation }) : json;
}
