import { randomUUID } from "node:crypto";
import {
  A2AError,
  type Binding,
  type DialectVersion,
  type Message,
  normaliseCard,
  type Operation,
  type RequestOf,
  type UnaryOperation,
} from "@assay/protocol";
import {
  chooseInterface,
  createEgressGuard,
  createPeer,
  createPeerClients,
  discoverCard,
  type HeaderPairs,
  isUndated,
  type Peer,
} from "@assay/wire";

export interface Conversation {
  readonly binding: Binding;
  readonly dialect: DialectVersion;
  readonly headers?: HeaderPairs;
}

const says = (text: string, more: Partial<Message> = {}): Message => ({
  messageId: randomUUID(),
  role: "ROLE_USER",
  parts: [{ text }],
  ...more,
});

/** A client without fault: says something of everything to an agent of the test bed, and takes whatever comes. */
export async function converse(url: string, { binding, dialect, headers = [] }: Conversation): Promise<void> {
  const clients = createPeerClients({ guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }), userAgent: "good/1" });
  try {
    const { found } = await discoverCard(clients.http, url, headers);
    if (!found) throw new Error(`No card at ${url}.`);
    const { interfaces, card } = normaliseCard(found.json);
    // A card that names no version is taken to be of the one that is meant here.
    const chosen = chooseInterface(
      interfaces,
      { binding, ...(isUndated(found.json, interfaces) ? {} : { dialect }) },
      found.url,
    );
    if (!chosen) throw new Error(`No ${dialect} over ${binding} at ${url}.`);
    const required =
      card?.capabilities?.extensions?.filter((each) => each.required).flatMap(({ uri }) => uri ?? []) ?? [];
    const declared: HeaderPairs = required.length ? [["A2A-Extensions", required.join(", ")]] : [];
    const peer = createPeer(clients, { ...chosen, dialect }, [...headers, ...declared]);
    await talk(peer, chosen.tenant, card?.capabilities ?? {});
  } finally {
    await clients.close();
  }
}

async function talk(
  peer: Peer,
  tenant: string | undefined,
  { streaming, pushNotifications }: { readonly streaming?: boolean; readonly pushNotifications?: boolean },
): Promise<void> {
  const under = tenant === undefined ? {} : { tenant };
  const ask = async <O extends UnaryOperation>(operation: O, request: RequestOf<O>) => {
    try {
      const answer = await peer.call(operation, { ...under, ...request });
      return answer.is === "value" ? answer.value : undefined;
    } catch (error) {
      // Older versions have fewer operations.
      if (error instanceof A2AError) return undefined;
      throw error;
    }
  };
  const watch = async (operation: "SendStreamingMessage" | "SubscribeToTask", request: RequestOf<Operation>) => {
    const { events } = await peer.stream(operation, { ...under, ...request } as never);
    for await (const _event of events);
  };
  await ask("SendMessage", { message: says("message-only hello") });
  const done = await ask("SendMessage", { message: says("task-lifecycle hello") });
  const { id, contextId } = done?.task ?? {};
  if (id !== undefined) {
    await ask("GetTask", { id });
    await ask("GetTask", { id, historyLength: 0 });
    await ask("CancelTask", { id });
    await ask("SendMessage", { message: says("task-lifecycle again", { contextId: contextId! }) });
  }
  await ask("GetTask", { id: randomUUID() });
  await ask("ListTasks", { pageSize: 2 });
  const asked = await ask("SendMessage", { message: says("multi-turn begin") });
  if (asked?.task)
    await ask("SendMessage", {
      message: says("more", { taskId: asked.task.id, contextId: asked.task.contextId! }),
    });
  const slow = await ask("SendMessage", {
    message: says("slow 20"),
    configuration: { returnImmediately: true },
  });
  if (slow?.task) {
    if (pushNotifications) await ask("ListTaskPushNotificationConfigs", { taskId: slow.task.id });
    await ask("CancelTask", { id: slow.task.id });
  }
  await ask("SendMessage", { message: says("data-types please") });
  await ask("SendMessage", { message: says("task-failure please") });
  if (!streaming) return;
  await watch("SendStreamingMessage", { message: says("streaming hello") });
  await watch("SendStreamingMessage", { message: says("message-only hello") });
  const running = await ask("SendMessage", { message: says("slow 4"), configuration: { returnImmediately: true } });
  if (running?.task) await watch("SubscribeToTask", { id: running.task.id });
}
