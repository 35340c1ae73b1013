import { dialects, type NormalisedCard } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import { escapeText } from "@assay/protocol/escape";
import {
  bindCredentials,
  cardTrouble,
  chooseInterface,
  createEgressGuard,
  createMasker,
  createPeer,
  createPeerClients,
  discoverCard,
  type EgressGuard,
  type FoundCard,
  type HttpClientOptions,
  interfaceTrouble,
  type Peer,
  type PeerClients,
  type PeerInterface,
  Recording,
  readFoundCard,
  readTrustedHost,
  secretsInAddress,
  userAgent,
  withParameters,
} from "@assay/wire";
import { version } from "../version.ts";
import { AgentFault } from "./agent-fault.ts";
import { type Credentials, credentialsOf, readPem } from "./credentials.ts";
import { oauthOf, tokenGetter } from "./oauth.ts";
import type { ConnectionValues } from "./option-caller.ts";
import { nameFor, type OptionCaller } from "./option-caller.ts";

/** The time limit for a response of the agent, in milliseconds. */
const answerMs = 60_000;

/** A connection to an agent: the recording clients and the credentials that they send. */
export interface Connection {
  readonly clients: PeerClients;
  readonly recording: Recording;
  readonly headers: readonly (readonly [string, string])[];
  /** query parameters that are added to the URL of every request to which the credentials may go */
  readonly query: readonly (readonly [string, string])[];
  /** returns true if the credentials may be sent to this address */
  readonly mayGoTo: (address: string) => boolean;
  /** values that must never be written anywhere */
  readonly secrets: Credentials["secrets"];
  /** replaces every secret of this connection */
  readonly mask: ReturnType<typeof createMasker>;
}

export async function connect(
  address: string,
  flags: ConnectionValues,
  caller: OptionCaller,
  /** decides which hosts may be contacted (default: the host of the address, and public ones) */
  guard?: EgressGuard,
): Promise<Connection> {
  const url = parseAddress(address);
  const { headers, query = [], secrets, certificate } = await givenCredentials(flags, caller, address);
  const credentials = bindCredentials({
    named: [url],
    trustHosts: flags.trustHosts ?? [],
    fields: headers,
    secrets: secrets.map(({ value }) => value),
    beyondFields: query.length > 0 || certificate !== undefined,
  });
  const mask = createMasker([...secrets, ...secretsInAddress(url.href)]);
  caller.hideBy(mask);
  const recording = new Recording();
  const made = createPeerClients({
    ...clientOptions([url], flags, caller),
    ...(guard && { guard }),
    credentials,
    recording,
  });
  const clients = withParameters(made, query);
  const mayGoTo = (to: string): boolean => !credentials.any || credentials.mayGoTo(to);
  return { clients, recording, headers, query, secrets, mayGoTo, mask };
}

/**
 * Returns the credentials of the call, including a login in the address. Warns about a secret that is written
 * literally.
 */
export async function givenCredentials(
  flags: ConnectionValues,
  caller: OptionCaller,
  ...addresses: string[]
): Promise<Credentials> {
  const oauth = oauthOf(flags, caller);
  const warn = (flag: string): void =>
    caller.complain(
      `warning: ${flag}: a secret on the command line stays in the shell history. Use env:NAME or @file.`,
    );
  for (const host of flags.trustHosts ?? [])
    caller.complain(`Credentials may go to ${escapeText(host)}, too (${nameFor(caller, "trustHosts")}).`);
  const given = await credentialsOf(
    { ...flags, ...(oauth && { oauth }) },
    warn,
    tokenGetter(clientOptions([], flags, caller)),
    { nameOf: (name) => nameFor(caller, name) },
  );
  caller.hideBy(createMasker(given.secrets));
  return withLogin(given, caller, ...addresses);
}

/** Adds the login in an address to credentials. */
export function withLogin(given: Credentials, caller: OptionCaller, ...addresses: string[]): Credentials {
  const login = addresses.map(loginIn).find((each) => each !== undefined);
  if (!login) return given;
  const isShown = given.headers.every(([name]) => name.toLowerCase() !== "authorization");
  caller.complain(
    isShown
      ? "warning: Assay uses the login in the address like --basic. Use --basic user:env:NAME to keep it out of the shell history."
      : "warning: Assay ignores the login in the address, because you passed other credentials.",
  );
  const secrets = [...given.secrets, ...login.secrets];
  caller.hideBy(createMasker(secrets));
  return { ...given, headers: [...given.headers, ...(isShown ? login.headers : [])], secrets };
}

/**
 * Returns the connection settings for the hosts that the user named: permitted hosts, timeouts, proxies and
 * certificates.
 */
export function clientOptions(
  named: readonly URL[],
  flags: ConnectionValues,
  caller: Pick<OptionCaller, "nameOf"> = {},
): Omit<HttpClientOptions, "recording" | "credentials"> {
  const { env } = process;
  const idle = (flags.timeout ?? 60) * 1_000;
  const proxy = (name: string): string | undefined => env[name] ?? env[name.toLowerCase()];
  const [httpProxy, httpsProxy, noProxy] = [proxy("HTTP_PROXY"), proxy("HTTPS_PROXY"), proxy("NO_PROXY")];
  return {
    guard: createEgressGuard({
      trustedHosts: [
        ...named.map(({ hostname }) => hostname),
        ...(flags.trustHosts ?? []).map((host) => hostIn(host, caller)),
      ],
      allowHosts: flags.allowHosts ?? [],
    }),
    userAgent: userAgent(version, flags.contact),
    // An agent may send its response byte by byte, which the idle timeout does not end. The total limit does.
    timeouts: { idle, total: idle + answerMs },
    proxies: {
      ...(httpProxy ? { httpProxy } : {}),
      ...(httpsProxy ? { httpsProxy } : {}),
      ...(noProxy ? { noProxy } : {}),
    },
    tls: {
      ...(flags.ca ? { ca: readPem(nameFor(caller, "ca"), flags.ca) } : {}),
      ...(flags.cert ? { cert: readPem(nameFor(caller, "cert"), flags.cert) } : {}),
      ...(flags.key ? { key: readPem(nameFor(caller, "key"), flags.key) } : {}),
      ...(flags.insecure ? { insecure: true } : {}),
    },
  };
}

function hostIn(trusted: string, caller: Pick<OptionCaller, "nameOf">): string {
  try {
    return readTrustedHost(trusted).host;
  } catch {
    throw new UsageError(
      `${nameFor(caller, "trustHosts")} ${escapeText(trusted)}: not a valid host`,
      "Use a host, or host:port, such as 127.0.0.1:50051",
    );
  }
}

/** Parses the address and removes any login from it. The default scheme is http. */
export function parseAddress(address: string): URL {
  const url = readAddress(address);
  url.username = "";
  url.password = "";
  return url;
}

function readAddress(address: string): URL {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  const hint = "Pass the address of the agent, such as http://127.0.0.1:4040/spec";
  if (!URL.canParse(text)) throw new UsageError(`"${withoutLogin(address)}" is not a valid URL`, hint);
  const url = new URL(text);
  if (url.protocol === "http:" || url.protocol === "https:") return url;
  throw new UsageError(`"${withoutLogin(address)}" is neither http nor https`, hint);
}

/** Returns an address as the user wrote it, but without its login. */
export const withoutLogin = (address: string): string => address.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i, "$1");

/** Returns the login of an address as a Basic header, like --basic. */
function loginIn(address: string): Credentials | undefined {
  const { username, password } = readAddress(address);
  if (!username && !password) return undefined;
  const [user, secret] = [username, password].map(decodeURIComponent) as [string, string];
  const pair = Buffer.from(`${user}:${secret}`).toString("base64");
  return {
    headers: [["Authorization", `Basic ${pair}`]],
    secrets: [...(secret ? [{ name: "basic", value: secret }] : []), { name: "basic-pair", value: pair }],
  };
}

const normalAddress = (address: string): string => parseAddress(address).href;

/** Returns the card of the agent. If there is none, the error says why and what to do. */
export async function findCard(address: string, connection: Connection, signal?: AbortSignal): Promise<FoundCard> {
  const url = normalAddress(address);
  const search = await discoverCard(connection.clients.http, url, connection.headers, signal);
  if (search.found) return search.found;
  const { message, hint } = cardTrouble(address.includes("://") ? withoutLogin(address) : url, search);
  throw new UsageError(shownBy(connection, message), shownBy(connection, hint));
}

/** Masks and escapes a text of the agent, which may repeat the credentials that it received. */
const shownBy = ({ mask }: Connection, text: string): string => escapeText(mask.text(text));

/** The interface of the card that the user wants (default: the first one). */
export interface Wanted {
  readonly dialect?: string;
  readonly binding?: string;
  readonly tenant?: string;
}

/** Returns the interface to use: the first supported one of the card, or the first one with the requested binding. */
function interfaceOf(
  { interfaces }: NormalisedCard,
  wanted: Wanted,
  found: FoundCard,
  connection: Connection,
): PeerInterface {
  const chosen = chooseInterface(interfaces, wanted, found.url) ?? wished(interfaces, wanted, found);
  if (chosen) return chosen;
  if (!chooseInterface(interfaces)) {
    const { message, hint, isFault } = interfaceTrouble(found, interfaces);
    const text = shownBy(connection, message);
    throw isFault ? new AgentFault(text, hint) : new UsageError(text, hint);
  }
  const offered = interfaces.map(
    ({ binding, dialect, tenant }) =>
      `${binding} ${dialect ?? "of an unknown version"}${tenant ? ` (tenant ${tenant})` : ""}`,
  );
  const asked = [wanted.dialect, wanted.binding, wanted.tenant && `tenant ${wanted.tenant}`].filter(Boolean).join(", ");
  throw new UsageError(
    `The card has no matching interface${asked ? ` (${asked})` : ""}. The card has: ${shownBy(connection, offered.join(", ") || "none")}`,
    "Assay supports 1.0 and 0.3 over JSON-RPC, HTTP+JSON and gRPC, and 0.2 and 0.1 over JSON-RPC.",
  );
}
/** Uses a version that the user names even if the card does not declare it, over a JSON-RPC interface of the card. */
function wished(
  interfaces: NormalisedCard["interfaces"],
  { dialect, binding = "JSONRPC", tenant }: Wanted,
  found: FoundCard,
): PeerInterface | undefined {
  const named = dialects.find((each) => each === dialect);
  if (named === undefined || binding !== "JSONRPC") return undefined;
  const over = chooseInterface(interfaces, { binding, ...(tenant !== undefined && { tenant }) }, found.url);
  return over && { ...over, dialect: named };
}

/** Reads the card and returns it in normalised form. */
export const readCard = (
  { clients, headers }: Connection,
  found: FoundCard,
  signal?: AbortSignal,
): Promise<NormalisedCard> => readFoundCard(clients.http, found, headers, signal);

export const peerOf = async (
  connection: Connection,
  found: FoundCard,
  wanted: Wanted,
  more: readonly (readonly [string, string])[] = [],
  signal?: AbortSignal,
): Promise<{ peer: Peer; chosen: PeerInterface }> => {
  const chosen = interfaceOf(await readCard(connection, found, signal), wanted, found, connection);
  return { chosen, peer: createPeer(connection.clients, chosen, [...connection.headers, ...more]) };
};
