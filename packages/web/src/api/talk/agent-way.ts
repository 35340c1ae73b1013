import {
  type BoundCredentials,
  bindCredentials,
  createMasker,
  createPeerClients,
  type HeaderPairs,
  type HttpClientOptions,
  type Masker,
  type PeerClients,
  Recording,
  type Secret,
  secretsInAddress,
} from "@assay/wire";

/** The connection and credentials for an agent, from its address and login, as on the command line. */
export interface AgentWay {
  /** the address from the operator, without a login */
  readonly url: URL;
  readonly headers: HeaderPairs;
  /** values that Assay must never write anywhere */
  readonly secrets: readonly Secret[];
  /** the egress guard, proxies, certificates and limits of every command */
  readonly connection: Omit<HttpClientOptions, "recording" | "credentials">;
}

/** An open connection. Its clients record, and send credentials only to the address that the user named. */
export interface OpenWay extends AgentWay {
  readonly clients: PeerClients;
  readonly recording: Recording;
  readonly masker: Masker;
  readonly credentials: BoundCredentials;
}

/** Maximum size of the exchanges that the page can still show, in bytes. */
const bytesKept = 128 * 1024 * 1024;

export function openWay(way: AgentWay): OpenWay {
  const { url, headers, secrets, connection } = way;
  const credentials = bindCredentials({
    named: [url],
    trustHosts: [],
    fields: headers,
    secrets: secrets.map(({ value }) => value),
  });
  const recording = new Recording({ bytesPerRun: bytesKept });
  return {
    ...way,
    credentials,
    recording,
    masker: createMasker([...secrets, ...secretsInAddress(url.href)]),
    clients: createPeerClients({ ...connection, credentials, recording }),
  };
}
