import { createHttpClient, type HttpClient, type HttpClientOptions } from "../client/http.ts";
import type { RequestSpec } from "../client/request-spec.ts";
import { createGrpcClient, type GrpcClient } from "../grpc/client.ts";
import type { HeaderPairs } from "../recording/exchange.ts";

/** What it takes to speak every binding. */
export interface PeerClients {
  readonly http: HttpClient;
  /** Made when it is first asked for: most agents are spoken to without it. */
  grpc(): GrpcClient;
  /** Ends what is under way and lets go of all connections. */
  close(): Promise<void>;
}

export function createPeerClients(options: HttpClientOptions): PeerClients {
  const http = createHttpClient(options);
  let grpc: GrpcClient | undefined;
  return {
    http,
    grpc() {
      grpc ??= createGrpcClient(options);
      return grpc;
    },
    async close() {
      grpc?.close();
      await http.close();
    },
  };
}

/**
 * The same clients, with these parameters in every address that may see credentials. gRPC has none in its addresses, and
 * shows nothing of them.
 */
export function withParameters(clients: PeerClients, query: HeaderPairs): PeerClients {
  if (query.length === 0) return clients;
  const { http } = clients;
  // What a request names itself stands in the place of it.
  const shown = (spec: RequestSpec): RequestSpec => ({ query, ...spec });
  return {
    ...clients,
    http: {
      ...http,
      request: (spec, signal) => http.request(shown(spec), signal),
      stream: (spec, signal) => http.stream(shown(spec), signal),
    },
  };
}
