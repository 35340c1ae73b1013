import type { JsonObject, StreamingOperation, UnaryOperation } from "@assay/protocol";
import { installed, type OpTarget, runClient, type SurfacedBySdk } from "@assay/sdk-javascript";
import {
  chooseInterface,
  createEgressGuard,
  createPeer,
  createPeerClients,
  discoverCard,
  type HeaderPairs,
  type Peer,
  type PeerTrouble,
  readFoundCard,
} from "@assay/wire";

/** Assay's own client for agents, behind stdin and stdout (docs/drivers.md). */

const clients = createPeerClients({ guard: createEgressGuard({ trustedHosts: ["127.0.0.1"], allowLoopback: true }) });

class Trouble extends Error {
  readonly trouble: PeerTrouble;

  constructor(trouble: PeerTrouble, message: string) {
    super(message);
    this.trouble = trouble;
  }
}

const fieldsOf = ({ headers = {} }: OpTarget): HeaderPairs => Object.entries(headers);

async function cardOf(target: OpTarget): Promise<JsonObject> {
  const { found, tried } = await discoverCard(clients.http, target.card, fieldsOf(target));
  if (!found) throw new Error(`No agent card at ${target.card} (${tried[0]?.saw ?? "nothing tried"}).`);
  return found.json;
}

async function peerOf(target: OpTarget): Promise<Peer> {
  const { interfaces } = await readFoundCard(clients.http, { json: await cardOf(target) });
  const { binding, version: dialect } = target;
  const chosen = chooseInterface(interfaces, { binding, dialect }) ?? chooseInterface(interfaces);
  if (!chosen) throw new Error("The card names no interface that is spoken here.");
  return createPeer(clients, chosen, fieldsOf(target));
}

const call =
  (operation: UnaryOperation) =>
  async (target: OpTarget, params: JsonObject, signal: AbortSignal): Promise<unknown> => {
    const peer = await peerOf(target);
    // The matrix wrote the params as the JSON of this operation's request.
    const answer = await peer.call(operation, params as never, signal);
    if (answer.is === "value") return answer.value;
    throw new Trouble(answer, messageOf(answer));
  };

const stream = (operation: StreamingOperation) =>
  async function* (target: OpTarget, params: JsonObject, signal: AbortSignal): AsyncGenerator<unknown, void> {
    const peer = await peerOf(target);
    const opened = await peer.stream(operation, params as never, signal);
    for await (const event of opened.events) {
      if (event.is !== "value") throw new Trouble(event, messageOf(event));
      yield event.value;
    }
  };

function messageOf(trouble: PeerTrouble): string {
  switch (trouble.is) {
    case "error":
      return trouble.error.message;
    case "malformed":
      return trouble.because;
    case "invalid":
      return trouble.violations.map(({ path, message }) => `${path}: ${message}`).join("; ");
    case "failure":
      return trouble.failure.message;
  }
}

function surfaced(error: unknown): SurfacedBySdk {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof Trouble) || error.trouble.is !== "error") return { kind: "transport", message };
  const { code, reason, grpc } = error.trouble.error;
  const type = reason ?? grpc?.status;
  return { kind: "protocol", ...(type !== undefined && { type }), ...(code !== undefined && { code }), message };
}

const sdk = installed(new URL("../../../packages/cli/", import.meta.url).href);

runClient({
  sdk,
  model: "1.0",
  ops: {
    card: cardOf,
    extendedCard: call("GetExtendedAgentCard"),
    send: call("SendMessage"),
    stream: stream("SendStreamingMessage"),
    get: call("GetTask"),
    list: call("ListTasks"),
    cancel: call("CancelTask"),
    subscribe: stream("SubscribeToTask"),
    "push.create": call("CreateTaskPushNotificationConfig"),
    "push.get": call("GetTaskPushNotificationConfig"),
    "push.list": call("ListTaskPushNotificationConfigs"),
    "push.delete": call("DeleteTaskPushNotificationConfig"),
  },
  surfaced,
});
