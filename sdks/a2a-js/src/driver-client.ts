import {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import type { Client, RequestOptions } from "@a2a-js/sdk/client";
import { A2AError, isJsonRpcError } from "@a2a-js/sdk/errors";
import { installed, type OpTarget, runClient, type SurfacedBySdk } from "@assay/sdk-javascript";
import { clientFor, folderOf, resolver } from "./sdk-client.ts";

/** The client of @a2a-js/sdk behind stdin and stdout (docs/drivers.md). */

interface Codec<T> {
  fromJSON(json: unknown): T;
}
interface Printer<T> {
  toJSON(value: T): unknown;
}

const optionsFor = ({ headers = {} }: OpTarget, signal: AbortSignal): RequestOptions => ({
  signal,
  serviceParameters: { ...headers },
});

/** Creates an operation with a single result. */
const call =
  <Request, Answer>(
    request: Codec<Request>,
    method: (client: Client, request: Request, options: RequestOptions) => Promise<Answer>,
    answer: Printer<Answer> | undefined,
  ) =>
  async (target: OpTarget, params: unknown, signal: AbortSignal): Promise<unknown> => {
    const client = await clientFor(target.card, target.binding);
    const given = await method(client, request.fromJSON(params), optionsFor(target, signal));
    return answer?.toJSON(given) ?? {};
  };

const stream = <Request>(
  request: Codec<Request>,
  method: (client: Client, request: Request, options: RequestOptions) => AsyncIterable<StreamResponse>,
) =>
  async function* (target: OpTarget, params: unknown, signal: AbortSignal): AsyncGenerator<unknown, void> {
    const client = await clientFor(target.card, target.binding);
    for await (const event of method(client, request.fromJSON(params), optionsFor(target, signal)))
      yield StreamResponse.toJSON(event);
  };

/** The SDK returns a task or a message without its wrapping member. */
const sent: Printer<Task | Message> = {
  toJSON: (answer) => ("messageId" in answer ? { message: Message.toJSON(answer) } : { task: Task.toJSON(answer) }),
};

function surfaced(error: unknown): SurfacedBySdk {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof A2AError)) return { kind: "transport", message };
  const { name } = error.constructor;
  return { kind: "protocol", type: name, ...(isJsonRpcError(error) && { code: error.envelopeCode }), message };
}

runClient({
  sdk: installed(import.meta.resolve("@a2a-js/sdk")),
  model: "1.0",
  ops: {
    card: async ({ card }) => AgentCard.toJSON(await resolver.resolve(folderOf(card))),
    extendedCard: call({ fromJSON: () => undefined }, (client, _, options) => client.getAgentCard(options), AgentCard),
    send: call(SendMessageRequest, (client, request, options) => client.sendMessage(request, options), sent),
    stream: stream(SendMessageRequest, (client, request, options) => client.sendMessageStream(request, options)),
    get: call(GetTaskRequest, (client, request, options) => client.getTask(request, options), Task),
    list: call(ListTasksRequest, (client, request, options) => client.listTasks(request, options), ListTasksResponse),
    cancel: call(CancelTaskRequest, (client, request, options) => client.cancelTask(request, options), Task),
    subscribe: stream(SubscribeToTaskRequest, (client, request, options) => client.resubscribeTask(request, options)),
    "push.create": call(
      TaskPushNotificationConfig,
      (client, request, options) => client.createTaskPushNotificationConfig(request, options),
      TaskPushNotificationConfig,
    ),
    "push.get": call(
      GetTaskPushNotificationConfigRequest,
      (client, request, options) => client.getTaskPushNotificationConfig(request, options),
      TaskPushNotificationConfig,
    ),
    "push.list": call(
      ListTaskPushNotificationConfigsRequest,
      (client, request, options) => client.listTaskPushNotificationConfig(request, options),
      ListTaskPushNotificationConfigsResponse,
    ),
    "push.delete": call(
      DeleteTaskPushNotificationConfigRequest,
      (client, request, options) => client.deleteTaskPushNotificationConfig(request, options),
      undefined,
    ),
  },
  surfaced,
});
