import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { isResting, type Message, type Part, type Task } from "@assay/protocol";
import {
  chooseInterface,
  createPeer,
  discoverCard,
  type Failure,
  type HeaderPairs,
  type Peer,
  type PeerAnswer,
  type PeerClients,
  readFoundCard,
} from "@assay/wire";

/** Timeout for the other agent, all its responses together. */
const patienceMs = 60_000;
const pollMs = { first: 100, most: 2_000 };

/** Asks another agent, in any version and binding, and returns its answer. */
export async function askAgent(
  clients: PeerClients,
  cardUrl: string,
  text: string,
  canceled: AbortSignal,
  headers: HeaderPairs = [],
): Promise<string> {
  const { found, tried } = await discoverCard(clients.http, cardUrl, headers, canceled);
  if (!found) {
    const failure = tried[0]?.exchange.failure;
    throw new Error(
      `No agent card at ${cardUrl} (${failure ? toldOf[failure.code] : (tried[0]?.saw ?? "nothing tried")}).`,
    );
  }
  const { interfaces } = await readFoundCard(clients.http, found);
  const chosen = chooseInterface(interfaces, {}, found.url);
  if (!chosen) throw new Error("That agent has no interface that this test bed supports (A2A 1.0, 0.3, 0.2 or 0.1).");
  const message: Message = { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }] };
  const peer = createPeer(clients, chosen, headers);
  canceled.throwIfAborted();
  // An agent that answers at once names the task, so that it can be canceled. Without that answer, the other agent would
  // continue the task, so a cancellation waits for it.
  const configuration = { returnImmediately: true };
  const { task, message: said } = givenBy(await peer.call("SendMessage", { message, configuration }));
  if (said) return textOf(said.parts);
  const { artifacts = [], status } = await atRest(peer, task!, canceled).catch(async (error: unknown) => {
    if (canceled.aborted) await peer.call("CancelTask", { id: task!.id });
    throw error;
  });
  const parts = [...artifacts.flatMap((entry) => entry.parts), ...(status.message?.parts ?? [])];
  return textOf(parts) || status.state;
}

/** Waits for the task to rest, because not every agent waits before it answers. */
async function atRest(peer: Peer, task: Task, canceled: AbortSignal): Promise<Task> {
  const deadline = Date.now() + patienceMs;
  let latest = task;
  for (let pause = pollMs.first; !isResting(latest.status.state); pause = Math.min(pause * 2, pollMs.most)) {
    if (Date.now() > deadline) throw new Error(`The other agent's task is still ${latest.status.state}.`);
    await wait(pause, undefined, { signal: canceled });
    latest = givenBy(await peer.call("GetTask", { id: task.id }, canceled));
  }
  return latest;
}

const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => part.text ?? JSON.stringify(part.data ?? part.url ?? part.filename ?? "…")).join("\n");

function givenBy<T>(answer: PeerAnswer<T>): T {
  switch (answer.is) {
    case "value":
      return answer.value;
    case "error":
      throw new Error(`The other agent answered with an error: ${answer.error.message}`);
    case "malformed":
      throw new Error(`The other agent answered with ${answer.because}.`);
    case "invalid":
      throw new Error(
        `The other agent's answer breaks the schema at ${answer.violations[0]?.path}: ${answer.violations[0]?.message}.`,
      );
    case "failure":
      throw new Error(`Cannot reach the other agent: ${toldOf[answer.failure.code]}.`);
  }
}

/**
 * The failures that a client may see. The message of a failure has the address that a name resolves to in our
 * network.
 */
const toldOf: Readonly<Record<Failure["code"], string>> = {
  "refused-by-guard": "this test bed does not call that host",
  dns: "its name does not resolve",
  "connect-refused": "the connection was refused",
  unreachable: "it is unreachable",
  "closed-at-once": "it closed the connection at once",
  tls: "the TLS handshake failed",
  proxy: "the proxy refused the connection",
  "timeout-connect": "it did not accept the connection in time",
  "timeout-idle": "it did not answer in time",
  "timeout-total": "it did not answer in time",
  reset: "it reset the connection",
  "closed-early": "it closed the connection before its answer was complete",
  malformed: "its answer is not HTTP",
  "too-large": "its answer is too large",
  "too-many-events": "its stream has too many events",
  aborted: "the task was canceled",
  unsupported: "its answer cannot be read here",
  unknown: "the network failed",
};
