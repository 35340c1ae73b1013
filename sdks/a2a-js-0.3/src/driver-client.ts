import { installed, type OpTarget, runClient, type SurfacedBySdk } from "@assay/sdk-javascript";
import {
  AuthenticatedExtendedCardNotConfiguredError,
  type Client,
  ContentTypeNotSupportedError,
  InvalidAgentResponseError,
  PushNotificationNotSupportedError,
  type RequestOptions,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "a2a-sdk-0.3/client";
import { clientFor, folderOf, resolver } from "./sdk-client.ts";

/** The client of @a2a-js/sdk 0.3 behind stdin and stdout (docs/drivers.md). Its types are the JSON of 0.3. */

const optionsFor = ({ headers = {} }: OpTarget, signal: AbortSignal): RequestOptions => ({
  signal,
  serviceParameters: { ...headers },
});

// biome-ignore lint/suspicious/noExplicitAny: the request of each method is JSON of its own kind, which the matrix wrote
type Method<Answer> = (client: Client, params: any, options: RequestOptions) => Answer;

const call =
  (method: Method<Promise<unknown>>) =>
  async (target: OpTarget, params: unknown, signal: AbortSignal): Promise<unknown> =>
    method(await clientFor(target.card, target.binding), params, optionsFor(target, signal));

const stream = (method: Method<AsyncIterable<unknown>>) =>
  async function* (target: OpTarget, params: unknown, signal: AbortSignal): AsyncGenerator<unknown, void> {
    yield* method(await clientFor(target.card, target.binding), params, optionsFor(target, signal));
  };

/** The classes by which the SDK reports the errors of agents. */
const ofAgents = [
  TaskNotFoundError,
  TaskNotCancelableError,
  PushNotificationNotSupportedError,
  UnsupportedOperationError,
  ContentTypeNotSupportedError,
  InvalidAgentResponseError,
  AuthenticatedExtendedCardNotConfiguredError,
];

function surfaced(error: unknown): SurfacedBySdk {
  const message = error instanceof Error ? error.message : String(error);
  const known = ofAgents.find((type) => error instanceof type);
  return known ? { kind: "protocol", type: known.name, message } : { kind: "transport", message };
}

runClient({
  sdk: installed(import.meta.resolve("a2a-sdk-0.3")),
  model: "0.3",
  ops: {
    card: ({ card }) => resolver.resolve(folderOf(card)),
    extendedCard: call((client, _params, options) => client.getAgentCard(options)),
    send: call((client, params, options) => client.sendMessage(params, options)),
    stream: stream((client, params, options) => client.sendMessageStream(params, options)),
    get: call((client, params, options) => client.getTask(params, options)),
    cancel: call((client, params, options) => client.cancelTask(params, options)),
    subscribe: stream((client, params, options) => client.resubscribeTask(params, options)),
    "push.create": call((client, params, options) => client.setTaskPushNotificationConfig(params, options)),
    "push.get": call((client, params, options) => client.getTaskPushNotificationConfig(params, options)),
    "push.list": call(async (client, params, options) => client.listTaskPushNotificationConfig(params, options)),
    "push.delete": call((client, params, options) => client.deleteTaskPushNotificationConfig(params, options)),
  },
  surfaced,
});
