import type { ClientHttp2Stream } from "node:http2";
import { http2Failure, resetFailure } from "../grpc/client-failure.ts";
import { asOutgoing } from "../grpc/client-metadata.ts";
import { createSessions, type Sessions, type SharedSession } from "../grpc/client-sessions.ts";
import type { Exchange, Failure, HeaderPairs, SseEvent } from "../recording/exchange.ts";
import { Recording } from "../recording/recording.ts";
import type { DraftEnding } from "./draft.ts";
import { fail } from "./failure.ts";
import { asPermitted, type HttpClientOptions } from "./http.ts";
import { pairsOf } from "./http-head.ts";
import { defaultLimits, defaultTimeouts, sizeText } from "./limits.ts";
import { OutgoingCall, type OutgoingCallOptions } from "./outgoing-call.ts";
import { proxyFor } from "./proxy.ts";
import type { RequestSpec } from "./request-spec.ts";
import { createResponseReader, type ResponseReader } from "./response-reader.ts";
import { createTlsTrust, tlsTrustFor } from "./tls.ts";

/**
 * An HTTP/2 client that records its exchanges, with a connection for each request: over TLS by ALPN, else with prior
 * knowledge. Errors of the peer or the network are in the `failure` of the exchange.
 */
export interface Http2Client {
  stream(spec: RequestSpec, signal?: AbortSignal): Http2Stream;
  /** Closes all connections. */
  close(): void;
}

export interface Http2Stream {
  /** Each event as it arrives, up to the end or the first error. */
  readonly events: AsyncIterable<SseEvent>;
  readonly finished: Promise<Exchange>;
}

export function createHttp2Client(options: HttpClientOptions): Http2Client {
  const { guard, credentials, recording = new Recording({ keep: false }), proxies = {} } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const trust = createTlsTrust(options.tls);
  const trustFor = tlsTrustFor(options, trust);
  const { connect: connectMs } = timeouts;
  const sessions = createSessions({ guard, trust, trustFor, proxies, connectMs, headerBytes: limits.headerBytes });
  return {
    stream(asked, signal) {
      const spec = asPermitted(asked, credentials);
      const proxy = proxyFor(new URL(spec.url), proxies);
      return new Http2Call({ spec, sessions, proxy, recording, limits, timeouts, isStream: true, signal });
    },
    close: () => sessions.close(),
  };
}

interface CallOptions extends OutgoingCallOptions {
  readonly spec: RequestSpec;
  readonly sessions: Sessions;
  readonly proxy: URL | undefined;
}

class Http2Call extends OutgoingCall<SseEvent> implements Http2Stream {
  protected override readonly whenHungUp = fail(
    "aborted",
    "Assay aborted the exchange before the response was complete",
  );
  readonly #options: CallOptions;
  #session: SharedSession | undefined;
  #stream: ClientHttp2Stream | undefined;
  #answer: ResponseReader | undefined;

  constructor(options: CallOptions) {
    const { spec, proxy, limits } = options;
    super(options, { spec: { ...spec, headers: headOf(spec) }, http2: true, ...(proxy && { proxy }) });
    this.#options = options;
    const { streamMs } = limits;
    this.after(streamMs, fail("timeout-total", `timeout: the stream was still open after ${streamMs} ms`));
    this.begin(
      () => this.#start(),
      (error) => http2Failure(error, 0),
    );
  }

  get events(): AsyncIterable<SseEvent> {
    return this.arriving;
  }

  async #start(): Promise<void> {
    const { spec, sessions, timeouts } = this.#options;
    const session = await sessions.anewTo(new URL(spec.url));
    this.#session = session;
    if (this.isDone) return session.retire();
    const stream = session.http2.request(asOutgoing(headOf(spec)));
    this.#stream = stream;
    this.draft.attached({ ...session, hangUp() {} });
    const ms = spec.idleMs ?? timeouts.idle;
    const idle = this.after(ms, fail("timeout-idle", `timeout: nothing arrived for ${ms} ms`));
    stream.on("response", (_fields: unknown, _flags: number, ...[raw = []]: string[][]) => {
      idle.refresh();
      this.#answered(pairsOf(raw));
    });
    stream.on("data", (chunk: Buffer) => {
      idle.refresh();
      this.#data(chunk);
    });
    stream.on("end", () => {
      // Node reports the end of a broken stream like any other.
      if (!this.isDone && !stream.rstCode && !session.http2.destroyed) this.#answer?.end([]);
    });
    stream.on("close", () => this.#closed(stream));
    stream.on("error", (error) => this.finish(http2Failure(error, stream.rstCode ?? 0, session.isGivenUp)));
    stream.end(spec.body, () => this.draft.sent(spec.body ?? new Uint8Array()));
  }

  #answered(headers: HeaderPairs): void {
    if (this.isDone) return;
    this.#answer = createResponseReader({
      head: { status: Number(headers.find(([name]) => name === ":status")?.[1]), statusText: "", headers },
      limits: this.#options.limits,
      clock: this.draft.clock,
      onEvent: (event) => this.arriving.push(event),
      onEnd: () => this.finish(),
      onFailure: this.finish,
    });
  }

  #data(chunk: Buffer): void {
    if (this.isDone) return;
    const { wireBytes } = this.#options.limits;
    this.draft.received(chunk);
    if (this.draft.bytesReceived > wireBytes)
      this.finish(fail("too-large", `the response exceeds ${sizeText(wireBytes)}`));
    else this.#answer?.write(chunk);
  }

  /** Ends a call whose response has no end: decoding may still go on after a regular one. */
  #closed({ rstCode = 0, readableEnded }: ClientHttp2Stream): void {
    const isLost = this.#session?.http2.destroyed;
    if (rstCode !== 0 && !isLost) this.finish(resetFailure(rstCode));
    else if (!this.#answer || !readableEnded || isLost)
      this.finish(fail("closed-early", "the peer closed the connection before the response was complete"));
  }

  protected override arrived(isWhole: boolean): DraftEnding | undefined {
    return this.#answer?.record(isWhole);
  }

  protected override letGo(failure: Failure | undefined): void {
    if (failure) this.#stream?.close();
    this.#session?.retire();
  }
}

const headOf = ({ method, url, headers = [] }: RequestSpec): HeaderPairs => {
  const { protocol, host, pathname, search } = new URL(url);
  return [
    [":method", method],
    [":scheme", protocol.slice(0, -1)],
    [":path", `${pathname}${search}`],
    [":authority", host],
    ...headers.map(([name, value]) => [name.toLowerCase(), value] as const),
  ];
};
