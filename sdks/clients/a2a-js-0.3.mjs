// The client of @a2a-js/sdk 0.3.14 as a command for `assay client`.
//   node a2a-js-0.3.mjs [binding]     the binding to prefer, else the card decides
import { ClientFactory, ClientFactoryOptions } from "a2a-sdk-0.3/client";
import { GrpcTransportFactory } from "a2a-sdk-0.3/client/grpc";
import { perform } from "./perform.mjs";

const [binding] = process.argv.slice(2).filter((each) => !each.startsWith("--"));

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

await perform(async ({ url, bearer, extensions }) => {
  const client = await new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new GrpcTransportFactory()],
      ...(binding && { preferredTransports: [binding] }),
    }),
  ).createFromUrl(url);
  const options = {
    serviceParameters: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(extensions && { "X-A2A-Extensions": extensions }),
    },
  };
  const params = ({ parts, ...message }, { wait = true } = {}) => ({
    ...(!wait && { configuration: { blocking: false } }),
    message: { ...message, kind: "message", role: "user", parts: parts.map((part) => ({ kind: "text", ...part })) },
  });
  async function* told(events) {
    for await (const event of events) yield shown(event);
  }
  return {
    send: async (message, how) => shown(await client.sendMessage(params(message, how), options)),
    stream: (message) => told(client.sendMessageStream(params(message), options)),
    subscribe: (id) => told(client.resubscribeTask({ id }, options)),
    get: async (id) => shown(await client.getTask({ id }, options)),
    cancel: async (id) => shown(await client.cancelTask({ id }, options)),
    push: (taskId, { authentication, ...config }) =>
      client.setTaskPushNotificationConfig(
        {
          taskId,
          pushNotificationConfig: {
            ...config,
            ...(authentication && {
              authentication: { schemes: [authentication.scheme], credentials: authentication.credentials },
            }),
          },
        },
        options,
      ),
    extendedCard: async () => ({ text: (await client.getAgentCard(options)).name }),
  };
});
