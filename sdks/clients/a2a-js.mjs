// The client of @a2a-js/sdk 1.3.0 as a command for `assay client`.
//   node a2a-js.mjs [binding] [--legacy]     the binding to prefer (else the card decides); the SDK's layer for agents of 0.3
import {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";
import { perform } from "./perform.mjs";

const [binding] = process.argv.slice(2).filter((each) => !each.startsWith("--"));
const legacyCompat = { enabled: process.argv.includes("--legacy") };

/** TASK_STATE_INPUT_REQUIRED is "input-required" in the other programs. */
const wordOf = (state = "") => state.replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-");
const textOf = (parts = []) => parts.map(({ text }) => text ?? "").join("");
const piecesOf = (artifacts = []) =>
  artifacts.map(({ artifactId, parts }) => ({ id: artifactId, text: textOf(parts) }));

function shownTask({ id, contextId, status, artifacts }) {
  return {
    taskId: id,
    contextId,
    state: wordOf(status?.state),
    text: textOf(status?.message?.parts),
    pieces: piecesOf(artifacts),
  };
}

function shownMessage({ taskId, contextId, parts }) {
  return {
    taskId,
    contextId,
    text: parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join(""),
  };
}

function shownEvent({ task, message, statusUpdate, artifactUpdate }) {
  if (task) return shownTask(task);
  if (message) return { text: textOf(message.parts) };
  const { taskId, contextId, status, artifact, append } = statusUpdate ?? artifactUpdate;
  return artifact
    ? { taskId, contextId, pieces: piecesOf([artifact]).map((piece) => ({ ...piece, append })) }
    : { taskId, contextId, state: wordOf(status.state), text: textOf(status.message?.parts) };
}

await perform(async ({ url, bearer, extensions }) => {
  const client = await new ClientFactory({
    transports: [JsonRpcTransportFactory, RestTransportFactory, GrpcTransportFactory].map(
      (Transport) => new Transport({ legacyCompat }),
    ),
    cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
    ...(binding && { preferredTransports: [binding] }),
  }).createFromUrl(url);
  const options = {
    serviceParameters: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(extensions && { "A2A-Extensions": extensions }),
    },
  };
  const request = (message, { wait = true } = {}) =>
    SendMessageRequest.fromJSON({
      message: { ...message, role: "ROLE_USER" },
      ...(!wait && { configuration: { returnImmediately: true } }),
    });
  async function* told(events) {
    for await (const event of events) yield shownEvent(StreamResponse.toJSON(event));
  }
  return {
    async send(message, how) {
      const answer = await client.sendMessage(request(message, how), options);
      return "status" in answer ? shownTask(Task.toJSON(answer)) : shownMessage(answer);
    },
    stream: (message) => told(client.sendMessageStream(request(message), options)),
    subscribe: (id) => told(client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id }), options)),
    get: async (id) => shownTask(Task.toJSON(await client.getTask(GetTaskRequest.fromJSON({ id }), options))),
    cancel: async (id) => shownTask(Task.toJSON(await client.cancelTask(CancelTaskRequest.fromJSON({ id }), options))),
    async list(pageToken) {
      const page = await client.listTasks(ListTasksRequest.fromJSON({ pageToken, pageSize: 2 }), options);
      return { ids: page.tasks.map(({ id }) => id), next: page.nextPageToken };
    },
    push: (taskId, config) =>
      client.createTaskPushNotificationConfig(TaskPushNotificationConfig.fromJSON({ taskId, ...config }), options),
    extendedCard: async () => ({ text: (await client.getAgentCard(options)).name }),
  };
});
