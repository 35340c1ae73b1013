import { readFileSync } from "node:fs";
import { type NormalisedCard, normaliseCard } from "@assay/protocol";
import {
  cardTrouble,
  chooseInterface,
  createEgressGuard,
  createMasker,
  createPeer,
  createPeerClients,
  discoverCard,
  type FoundCard,
  type HttpClientOptions,
  interfaceTrouble,
  isSameHost,
  isUndated,
  type Peer,
  type PeerClients,
  type PeerInterface,
  probeDialect,
  Recording,
  secretsInAddress,
  userAgent,
} from "@assay/wire";
import type { ConnectionFlags } from "./connection-flags.ts";
import { type Credentials, credentialsOf } from "./credentials.ts";
import { AgentFault, UsageError } from "./exit.ts";
import type { SecretValue } from "./secrets.ts";
import { escapeText } from "./terminal/escape.ts";
import type { Screen } from "./terminal/screen.ts";
import { version } from "./version.ts";

/** A way to an agent: the clients that record, and the credentials that go along. */
export interface Connection {
  readonly clients: PeerClients;
  readonly recording: Recording;
  readonly headers: readonly (readonly [string, string])[];
  /** replaces every secret of this connection */
  readonly mask: ReturnType<typeof createMasker>;
}

export function connect(address: string, flags: ConnectionFlags, screen: Screen): Connection {
  const { headers, secrets } = flagCredentials(flags, screen, secretsInAddress(parseAddress(address).href));
  const recording = new Recording();
  const clients = createPeerClients({ ...clientOptions([parseAddress(address)], flags), recording });
  return { clients, recording, headers, mask: createMasker(secrets) };
}

/** The credentials of the command line; one that is a literal is said to be seen there. From here on the screen hides them. */
export function flagCredentials(
  flags: ConnectionFlags,
  screen: Screen,
  more: readonly SecretValue[] = [],
): Credentials {
  const credentials = credentialsOf(flags, (flag) =>
    screen.complain(
      `warning: ${flag}: a secret on the command line stays in the shell's history; env:NAME or @file keep it out.`,
    ),
  );
  const secrets = [...credentials.secrets, ...more];
  screen.hideBy(createMasker(secrets));
  return { ...credentials, secrets };
}

/** How the hosts that the user named are reached: whom we may contact, how long we wait, proxies and certificates. */
export function clientOptions(named: readonly URL[], flags: ConnectionFlags): Omit<HttpClientOptions, "recording"> {
  const { env } = process;
  const proxy = (name: string): string | undefined => env[name] ?? env[name.toLowerCase()];
  const [httpProxy, httpsProxy, noProxy] = [proxy("HTTP_PROXY"), proxy("HTTPS_PROXY"), proxy("NO_PROXY")];
  return {
    guard: createEgressGuard({
      trustedHosts: named.map(({ hostname }) => hostname),
      allowHosts: flags.allowHost ?? [],
    }),
    userAgent: userAgent(version, flags.contact),
    timeouts: { idle: (flags.timeout ?? 60) * 1_000 },
    proxies: {
      ...(httpProxy ? { httpProxy } : {}),
      ...(httpsProxy ? { httpsProxy } : {}),
      ...(noProxy ? { noProxy } : {}),
    },
    tls: {
      ...(flags.ca ? { ca: readPem("--ca", flags.ca) } : {}),
      ...(flags.cert ? { cert: readPem("--cert", flags.cert) } : {}),
      ...(flags.key ? { key: readPem("--key", flags.key) } : {}),
      ...(flags.insecure ? { insecure: true } : {}),
    },
  };
}

/** The address as a URL; without a scheme it is taken for http. */
export function parseAddress(address: string): URL {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  if (!URL.canParse(text))
    throw new UsageError(`"${address}" is no URL`, "Give the address of the agent, such as http://127.0.0.1:4040/spec");
  const url = new URL(text);
  if (url.protocol === "http:" || url.protocol === "https:") return url;
  throw new UsageError(
    `"${address}" is neither http nor https`,
    "Give the address of the agent, such as http://127.0.0.1:4040/spec",
  );
}

const normalAddress = (address: string): string => parseAddress(address).href;

function readPem(flag: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`${flag}: the file ${file} cannot be read`);
  }
}

/** The agent's card, or the reason why there is none, in words that say what to do. */
export async function findCard(address: string, connection: Connection): Promise<FoundCard> {
  const url = normalAddress(address);
  const search = await discoverCard(connection.clients.http, url, connection.headers);
  if (search.found) return search.found;
  const { message, hint } = cardTrouble(address.includes("://") ? address : url, search);
  throw new UsageError(escapeText(message), escapeText(hint));
}

/** Which of a card's interfaces the user wants; whichever comes first, unless he says so. */
export interface Wanted {
  readonly dialect?: string;
  readonly binding?: string;
  readonly tenant?: string;
}

/** The interface to use: the first of the card that we speak, or the first of the binding that was asked for. */
function interfaceOf({ interfaces }: NormalisedCard, wanted: Wanted, found: FoundCard): PeerInterface {
  const chosen = chooseInterface(interfaces, wanted, found.url);
  if (chosen) return chosen;
  if (!chooseInterface(interfaces)) {
    const { message, hint, isFault } = interfaceTrouble(found.json, interfaces);
    throw isFault ? new AgentFault(escapeText(message), hint) : new UsageError(escapeText(message), hint);
  }
  const offered = interfaces.map(
    ({ binding, dialect, tenant }) =>
      `${binding} ${dialect ?? "of an unknown version"}${tenant ? ` (tenant ${tenant})` : ""}`,
  );
  const asked = [wanted.dialect, wanted.binding, wanted.tenant && `tenant ${wanted.tenant}`].filter(Boolean).join(", ");
  throw new UsageError(
    `The card offers no interface that fits${asked ? ` (${asked})` : ""}. It offers: ${escapeText(offered.join(", ") || "none")}`,
    "We speak 1.0 and 0.3 over JSON-RPC, HTTP+JSON and gRPC, and 0.2 and 0.1 over JSON-RPC.",
  );
}

/** The card in our words. Where it names no version, the agent is asked which of the older ones it speaks. */
export async function readCard({ clients, headers }: Connection, found: FoundCard): Promise<NormalisedCard> {
  const read = normaliseCard(found.json);
  const [first] = read.interfaces;
  if (!first || !isUndated(found.json, read.interfaces)) return read;
  const [probed] = (await probeDialect(clients.http, first.url, headers)).found;
  if (!probed) return read;
  const interfaces = read.interfaces.map((each) => ({ ...each, dialect: probed.dialect }));
  return {
    ...read,
    interfaces,
    dialects: [probed, ...read.dialects.filter(({ dialect }) => dialect !== probed.dialect)],
  };
}

export const peerOf = async (
  connection: Connection,
  found: FoundCard,
  wanted: Wanted,
  more: readonly (readonly [string, string])[] = [],
): Promise<{ peer: Peer; chosen: PeerInterface }> => {
  const chosen = interfaceOf(await readCard(connection, found), wanted, found);
  const headers = [...(mayHaveCredentials(chosen, found) ? connection.headers : []), ...more];
  return { chosen, peer: createPeer(connection.clients, chosen, headers) };
};

/** Credentials go to the host that the user named, not to wherever the card points. */
function mayHaveCredentials(chosen: PeerInterface, found: FoundCard): boolean {
  if (chosen.binding !== "GRPC") return isSameHost(chosen.url, found.url, { port: true });
  // gRPC mostly has a port of its own, and its address need not say whether it is encrypted: that much the card's was.
  const isEncrypted = new URL(chosen.url).protocol === "https:" || new URL(found.url).protocol === "http:";
  return isEncrypted && isSameHost(chosen.url, found.url, { port: false });
}
