import { extensionsHeader, type NormalisedCard } from "@assay/protocol";
import { AssayError } from "@assay/protocol/assay-error";
import {
  bindCredentials,
  cardTrouble,
  chooseInterface,
  createPeer,
  createPeerClients,
  discoverCard,
  type FoundCard,
  type HeaderPairs,
  type Peer,
  type PeerClients,
  readFoundCard,
} from "@assay/wire";
import type { Interop, InteropAgent, InteropOptions } from "./interop.ts";

/** An agent whose card was found. */
export interface MetAgent {
  readonly agent: InteropAgent;
  readonly found: FoundCard;
  /** the card, read in the version that the agent speaks */
  readonly card: NormalisedCard;
  readonly clients: PeerClients;
}

export const nameOf = ({ found: { json } }: MetAgent): string => (typeof json["name"] === "string" ? json["name"] : "");

export const introduce = (met: MetAgent): Interop["a"] => {
  const { version } = met.found.json;
  return { name: nameOf(met), version: typeof version === "string" ? version : "", url: met.agent.url };
};

/** Finds the card of an agent. The caller closes its clients. */
export async function meet(
  agent: InteropAgent,
  { connection, signal }: Pick<InteropOptions, "connection" | "signal">,
): Promise<MetAgent> {
  const { url, headers = [] } = agent;
  const clients = createPeerClients({ ...connection, credentials: bindCredentials({ named: [url], fields: headers }) });
  const search = await discoverCard(clients.http, url, headers, signal);
  if (search.found)
    return { agent, found: search.found, card: await readFoundCard(clients.http, search.found, headers), clients };
  await clients.close();
  throw new AssayError({ code: "agent-not-found", ...cardTrouble(url, search) });
}

/** Returns Assay's own client of the agent, or undefined if it supports no interface on the card. */
export function peerOf({
  agent: { headers = [] },
  found,
  card: { card, interfaces },
  clients,
}: MetAgent): Peer | undefined {
  const chosen = chooseInterface(interfaces, {}, found.url);
  const required = (card?.capabilities?.extensions ?? [])
    .filter((each) => each.required)
    .flatMap(({ uri }) => uri ?? []);
  const declared: HeaderPairs = required.length ? [[extensionsHeader, required.join(", ")]] : [];
  return chosen && createPeer(clients, chosen, [...headers, ...declared]);
}
