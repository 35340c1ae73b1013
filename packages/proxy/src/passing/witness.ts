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
  /** where the agent is asked */
  readonly url: string;
  /** as they go to the agent */
  readonly headers: HeaderPairs;
  readonly http2: boolean;
  /** told of whatever passes */
  onPassing(): void;
  /** told when everything is decoded */
  onExchange(exchange: Exchange): void;
}

/**
 * Looks on while a request and its answer pass, and writes them down as an exchange. It never holds anything up: what
 * is too large for it, or in a coding it does not read, passes all the same.
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

  /** where the agent is asked */
  get url(): string {
    return this.#options.url;
  }

  /** Bytes of the request that have come by. */
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

  /** The answer came to its end. */
  ended(trailers: HeaderPairs): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#answer && !this.#unread) this.#answer.end(trailers);
    else this.#finish(trailers, this.#grpc?.end());
  }

  /** There will be no (more) answer, and why. */
  failed(failure: Failure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#finish([], failure);
  }

  #finish(trailers: HeaderPairs = [], failure: Failure | undefined = this.#unread): void {
    const { id, method, url, headers, http2, onExchange } = this.#options;
    const complete = failure === undefined;
    const arrived: { response?: HttpResponse } =
      this.#grpc?.record(complete, trailers) ?? this.#answer?.record(complete) ?? {};
    onExchange({
      id,
      // How the bytes were framed on the sockets is not kept: of HTTP/2 the DATA is, as elsewhere.
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
    });
  }
}

const isGrpc = (headers: HeaderPairs): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === "content-type" && /^application\/grpc/i.test(value));
