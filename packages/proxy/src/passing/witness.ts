import { defined } from "@assay/protocol";
import type { Exchange, Failure, HeaderPairs, HttpResponse } from "@assay/wire";
import {
  createByteLog,
  createGrpcAnswer,
  createResponseReader,
  defaultLimits,
  type GrpcAnswer,
  type ResponseReader,
} from "@assay/wire/passing";

interface WitnessOptions {
  readonly id: string;
  readonly method: string;
  /** the URL of the agent */
  readonly url: string;
  /** as sent to the agent */
  readonly headers: HeaderPairs;
  readonly http2: boolean;
  /** the faults that have changed the call; they may be added until it ends */
  readonly faults?: readonly string[] | undefined;
  /** called on any traffic */
  onPassing(): void;
  /** called when everything is decoded */
  onExchange(exchange: Exchange): void;
}

/**
 * Observes a request and its response as they pass, and records them as an exchange. It never delays traffic: bodies
 * that are too large, or in an unknown coding, still pass.
 */
export class ExchangeWitness {
  readonly #options: WitnessOptions;
  readonly #startedAt = new Date().toISOString();
  readonly #start = performance.now();
  readonly #sent = createByteLog(defaultLimits.bodyBytes);
  #answer: ResponseReader | undefined;
  #grpc: GrpcAnswer | undefined;
  #unread: Failure | undefined;
  #firstByte: number | undefined;
  #requestSent: number | undefined;
  #isOver = false;

  constructor(options: WitnessOptions) {
    this.#options = options;
  }

  readonly #clock = (): number => Math.round((performance.now() - this.#start) * 100) / 100;

  /** the URL of the agent */
  get url(): string {
    return this.#options.url;
  }

  /** Bytes of the request so far. */
  get asked(): number {
    return this.#sent.seen;
  }

  request(chunk: Uint8Array): void {
    this.#options.onPassing();
    this.#sent.append(chunk);
    this.#requestSent = this.#clock();
  }

  head(status: number, statusText: string, headers: HeaderPairs): void {
    this.#firstByte ??= this.#clock();
    const limits = defaultLimits;
    const onFailure = (failure: Failure): void => {
      this.#unread ??= failure;
    };
    if (this.#options.http2 && isGrpc(headers))
      this.#grpc = createGrpcAnswer({ status, headers, limits, clock: this.#clock, onMessage() {}, onFailure });
    else
      this.#answer = createResponseReader({
        head: { status, statusText, headers },
        limits,
        clock: this.#clock,
        onEvent() {},
        onEnd: () => this.#finish(),
        onFailure: (failure) => {
          onFailure(failure);
          if (this.#isOver) this.#finish();
        },
      });
  }

  body(chunk: Buffer): void {
    this.#options.onPassing();
    if (this.#unread) return;
    this.#answer?.write(chunk);
    this.#grpc?.write(chunk);
  }

  /** Observes a body that the caller reads. */
  async *seen(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      this.body(chunk);
      yield chunk;
    }
  }

  /** Called when the response is complete. */
  ended(trailers: HeaderPairs): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#answer && !this.#unread) this.#answer.end(trailers);
    else this.#finish(trailers, this.#grpc?.end());
  }

  /** Called when there will be no (more) response, with the reason. */
  failed(failure: Failure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#finish([], failure);
  }

  #finish(trailers: HeaderPairs = [], failure: Failure | undefined = this.#unread): void {
    const { id, method, url, headers, http2, faults, onExchange } = this.#options;
    const complete = failure === undefined;
    const arrived: { response?: HttpResponse } =
      this.#grpc?.record(complete, trailers) ?? this.#answer?.record(complete) ?? {};
    onExchange({
      id,
      // Socket framing is not recorded; for HTTP/2 the DATA frames are.
      transport: {
        ...(http2 && { http2 }),
        sent: http2 ? this.#sent.bytes : new Uint8Array(),
        sentTruncated: !http2 || this.#sent.truncated,
        received: new Uint8Array(),
        receivedTruncated: true,
        reused: false,
      },
      http: {
        request: { method, url, headers, body: this.#sent.bytes, bodyTruncated: this.#sent.truncated },
        ...arrived,
      },
      timing: {
        startedAt: this.#startedAt,
        ...defined({ requestSent: this.#requestSent, firstByte: this.#firstByte }),
        end: this.#clock(),
      },
      ...(failure && { failure }),
      ...(faults?.length && { faults: [...faults] }),
    });
  }
}

const isGrpc = (headers: HeaderPairs): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === "content-type" && /^application\/grpc/i.test(value));
