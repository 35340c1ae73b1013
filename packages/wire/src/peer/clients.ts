import { createHttpClient, type HttpClient, type HttpClientOptions } from "../client/http.ts";
import { createGrpcClient, type GrpcClient } from "../grpc/client.ts";

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
