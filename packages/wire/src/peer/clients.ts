import { createHttpClient, type HttpClient, type HttpClientOptions } from "../client/http.ts";
import type { RequestSpec } from "../client/request-spec.ts";
import { createGrpcClient, type GrpcClient } from "../grpc/client.ts";
import type { HeaderPairs } from "../recording/exchange.ts";

/** The clients for all bindings. */
export interface PeerClients {
  readonly http: HttpClient;
  /** Created on first use, because most agents do not need it. */
  grpc(): GrpcClient;
  /** Aborts everything in progress and closes all connections. */
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
 * Returns the same clients with these query parameters in every address that may receive credentials. gRPC addresses
 * have no query, so nothing is sent there.
 */
export function withParameters(clients: PeerClients, query: HeaderPairs): PeerClients {
  if (query.length === 0) return clients;
  const { http } = clients;
  // A request's own query has priority.
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
