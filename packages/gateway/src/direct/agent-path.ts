import { type JsonObject, type Operation, type RequestOf, startExchange } from "@assay/protocol";
import {
  bindCredentials,
  createPeer,
  createPeerClients,
  dialectFor,
  type Exchange,
  type HeaderPairs,
  type HttpClient,
  type HttpClientOptions,
  openLine,
  type Peer,
  type PeerClients,
  type PeerInterface,
  Recording,
  type RequestSpec,
} from "@assay/wire";

/** An address of the agent, with the credentials that the user gave for it. */
export interface PathAddress {
  readonly url: string;
  readonly headers: HeaderPairs;
}

export interface PathOptions {
  readonly connection: Omit<HttpClientOptions, "recording" | "credentials">;
  /** further hosts that may see the credentials */
  readonly trustHosts?: readonly string[];
  readonly signal: AbortSignal;
  readonly issueId: () => string;
  onExchange(exchange: Exchange): void;
}

/** One of the two paths to the agent. Its credentials go to its own address only. */
export class AgentPath {
  /** without a slash at the end */
  readonly url: string;
  readonly headers: HeaderPairs;
  readonly #clients: PeerClients;
  readonly #signal: AbortSignal;
  readonly #peers = new Map<PeerInterface, Peer>();

  constructor({ url, headers }: PathAddress, options: PathOptions) {
    const { connection, trustHosts, signal, issueId } = options;
    const recording = new Recording({ keep: false, issueId });
    recording.onExchange((exchange) => options.onExchange(exchange));
    const credentials = bindCredentials({
      named: [url],
      fields: headers,
      ...(trustHosts && { trustHosts }),
      beyondFields: connection.tls?.cert !== undefined,
    });
    this.url = url.replace(/\/+$/, "");
    this.headers = headers;
    this.#clients = onNewConnections(createPeerClients({ ...connection, credentials, recording }));
    this.#signal = signal;
  }

  get http(): HttpClient {
    return this.#clients.http;
  }

  request(spec: RequestSpec): Promise<Exchange> {
    return this.#clients.http.request(spec, this.#signal);
  }

  peer(on: PeerInterface): Peer {
    const known = this.#peers.get(on) ?? createPeer(this.#clients, on, this.headers);
    this.#peers.set(on, known);
    return known;
  }

  /** Writes a request as the interface expects it. */
  async write<O extends Operation>(
    { tenant, ...on }: PeerInterface,
    operation: O,
    request: RequestOf<O>,
    headers: HeaderPairs = this.headers,
  ): Promise<RequestSpec> {
    const asked = { ...(tenant !== undefined && { tenant }), ...request };
    // The request of every operation is an object.
    const params = dialectFor(on.binding, on.dialect)!.writeRequest(operation, asked, startExchange()) as JsonObject;
    const line = await openLine(this.#clients, on, { headers });
    return line.write(operation, params)!;
  }

  close(): Promise<void> {
    return this.#clients.close();
  }
}

/** Opens a new connection for each request, because on a kept one the client might send a request twice. */
function onNewConnections(clients: PeerClients): PeerClients {
  const { http } = clients;
  return {
    ...clients,
    http: {
      ...http,
      request: (spec, signal) => http.request({ ...spec, fresh: true }, signal),
      stream: (spec, signal) => http.stream({ ...spec, fresh: true }, signal),
    },
  };
}
