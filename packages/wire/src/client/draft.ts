import { defined } from "@assay/protocol";
import { bytesOfBoth, createByteLog } from "../recording/byte-log.ts";
import type { Exchange, Failure, GrpcRecord, HttpResponse, Remote, SseRecord } from "../recording/exchange.ts";
import { parseHead } from "./http-head.ts";
import type { RequestSpec } from "./request-spec.ts";
import type { TappedConnection } from "./tap.ts";

/** An exchange in progress. */
export interface Draft {
  /** Milliseconds since the start. */
  clock(): number;
  attached(connection: TappedConnection): void;
  sent(bytes: Uint8Array): void;
  received(bytes: Uint8Array): void;
  /** Bytes received on the socket so far, recorded or not. */
  readonly bytesReceived: number;
  /** Adds a hint about the connection's history to a failure. */
  explain(failure: Failure): Failure;
  finish(outcome: DraftEnding): Exchange;
}

export interface DraftEnding {
  readonly response?: HttpResponse;
  readonly sse?: SseRecord;
  readonly grpc?: GrpcRecord;
  readonly failure?: Failure;
}

export interface DraftOptions {
  readonly id: string;
  readonly spec: RequestSpec;
  readonly bytesPerExchange: number;
  readonly follows?: string;
  readonly proxy?: URL;
  /** HTTP/2: only DATA is recorded as bytes, without a head to parse. */
  readonly http2?: true;
}

export function createDraft({ id, spec, bytesPerExchange, follows, proxy, http2 }: DraftOptions): Draft {
  const startedAt = new Date().toISOString();
  const start = performance.now();
  const since = (moment: number): number => Math.round((moment - start) * 100) / 100;
  const clock = (): number => since(performance.now());
  const times: { connected?: number; requestSent?: number; firstByte?: number } = {};
  let sent = createByteLog(bytesPerExchange);
  const received = createByteLog(bytesPerExchange);
  let reused = false;
  let remote: Remote | undefined;

  return {
    clock,
    attached({ socket, connectedAt, carried }) {
      // undici writes a request again if the idle connection it picked turns out to be closed.
      sent = createByteLog(bytesPerExchange);
      reused = carried > 0;
      times.connected = Math.max(0, since(connectedAt));
      if (socket.remoteAddress && socket.remotePort)
        remote = { address: socket.remoteAddress, port: socket.remotePort };
    },
    sent(bytes) {
      sent.append(bytes);
      times.requestSent = clock();
    },
    received(bytes) {
      times.firstByte ??= clock();
      received.append(bytes);
    },
    get bytesReceived() {
      return received.seen;
    },
    explain(failure) {
      const hungUp = failure.code === "closed-early" || failure.code === "reset";
      const stale = hungUp && reused && received.seen === 0;
      return stale
        ? { ...failure, hint: "The connection was reused from an earlier request. Retry on a new connection." }
        : failure;
    },
    finish({ response, sse, grpc, failure }) {
      const request = {
        method: spec.method,
        url: spec.url,
        headers: (http2 ? undefined : parseHead(sent.bytes)?.headers) ?? spec.headers ?? [],
        body: spec.body ?? new Uint8Array(),
        bodyTruncated: false,
      };
      return {
        id,
        ...(follows && { follows }),
        transport: {
          ...(http2 && { http2 }),
          ...bytesOfBoth(sent, received),
          reused,
          ...(proxy && { proxy: proxy.origin }),
        },
        http: { request, ...defined({ response, sse, grpc }) },
        timing: { startedAt, ...times, end: clock() },
        ...defined({ remote, failure }),
      };
    },
  };
}
