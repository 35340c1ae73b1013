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

/** Connection and credentials for an agent, made from an address and a login as the command line does. */
export interface AgentWay {
  /** as the operator named it, without a login */
  readonly url: URL;
  readonly headers: HeaderPairs;
  /** what must be written nowhere */
  readonly secrets: readonly Secret[];
  /** the egress guard, proxies, certificates and limits of every command */
  readonly connection: Omit<HttpClientOptions, "recording" | "credentials">;
}

/** A way that is in use: clients that record, and show credentials to the address that was named and to no other. */
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
