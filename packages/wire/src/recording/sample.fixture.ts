import type { Exchange, GrpcRecord, HttpRequest, HttpResponse, SseRecord, TransportLayer } from "./exchange.ts";

interface SampleParts {
  readonly id?: string;
  readonly transport?: Partial<TransportLayer>;
  readonly request?: Partial<HttpRequest>;
  readonly response?: Partial<HttpResponse>;
  readonly sse?: SseRecord;
  readonly grpc?: GrpcRecord;
}

/** Creates a finished exchange with an empty response, except for the given parts. */
export const sampleExchange = ({ id = "x1", transport, request, response, sse, grpc }: SampleParts = {}): Exchange => ({
  id,
  transport: {
    sent: new Uint8Array(),
    sentTruncated: false,
    received: new Uint8Array(),
    receivedTruncated: false,
    reused: false,
    ...transport,
  },
  http: {
    request: {
      method: "GET",
      url: "https://agent.test/",
      headers: [],
      body: new Uint8Array(),
      bodyTruncated: false,
      ...request,
    },
    response: {
      status: 200,
      statusText: "OK",
      headers: [],
      trailers: [],
      body: new Uint8Array(),
      bodyTruncated: false,
      ...response,
    },
    ...(sse && { sse }),
    ...(grpc && { grpc }),
  },
  timing: { startedAt: "2026-11-15T10:00:00.000Z", connected: 5, requestSent: 6, firstByte: 20, end: 30 },
  remote: { address: "192.0.2.1", port: 443 },
});
