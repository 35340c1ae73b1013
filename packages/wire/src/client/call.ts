import type { Dispatcher } from "undici";
import type { EgressGuard } from "../egress.ts";
import type { Failure, HeaderPairs, ResponseHead, SseEvent } from "../recording/exchange.ts";
import type { DraftEnding } from "./draft.ts";
import { fail, failureFrom, NetworkError } from "./failure.ts";
import { headerOf, pairsOf } from "./http-head.ts";
import { type LargeAnswers, type LargeTurn, largeBytes } from "./large-answers.ts";
import { sizeText } from "./limits.ts";
import { OutgoingCall, type OutgoingCallOptions } from "./outgoing-call.ts";
import type { RequestSpec } from "./request-spec.ts";
import { createResponseReader, type ResponseReader } from "./response-reader.ts";
import type { Route } from "./routes.ts";
import { type ByteListener, dispatchTapped, type TappedConnection } from "./tap.ts";

interface CallOptions extends OutgoingCallOptions {
  readonly spec: RequestSpec;
  readonly route: Route;
  readonly guard: EgressGuard;
  readonly large: LargeAnswers;
  readonly follows?: string | undefined;
}

/** One HTTP/1.1 request. undici reports the response, and the tap reports the bytes on its connection. */
export class HttpCall extends OutgoingCall<SseEvent> implements ByteListener, Dispatcher.DispatchHandler {
  /** Resolves when the response head has arrived, or with undefined if none will come. */
  readonly head: Promise<ResponseHead | undefined>;
  protected override readonly whenHungUp = fail(
    "aborted",
    "Assay aborted the exchange before the response was complete",
  );
  readonly #options: CallOptions;
  readonly #total: NodeJS.Timeout;
  #tellHead: (head: ResponseHead | undefined) => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  #answer: ResponseReader | undefined;
  #connection: TappedConnection | undefined;
  #hasPeerClosed = false;
  #turn: LargeTurn | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: CallOptions) {
    const { spec, route, timeouts, follows } = options;
    super(options, { spec, ...(follows && { follows }), ...(route.proxy && { proxy: route.proxy }) });
    this.#options = options;
    this.head = new Promise((resolve) => {
      this.#tellHead = resolve;
    });
    this.#total = this.after(
      timeouts.total,
      fail("timeout-total", `timeout: the response was not complete after ${timeouts.total} ms`),
    );
    this.begin(() => this.#start(), failureFrom);
  }

  get events(): AsyncIterable<SseEvent> {
    return this.arriving;
  }

  async #start(): Promise<void> {
    const { route, guard, spec } = this.#options;
    // A proxy resolves names itself, so all we can do is check DNS here. On a direct connection the guard checks when
    // dialing.
    const decision = route.proxy ? await guard.checkUrl(spec.url) : { allowed: true as const };
    if (!decision.allowed) return this.finish(fail("refused-by-guard", decision.reason));
    if (this.isDone) return;
    dispatchTapped(route.dispatcher, dispatchOptions(spec, route), this, this);
  }

  protected override arrived(isWhole: boolean): DraftEnding | undefined {
    return this.#answer?.record(isWhole);
  }

  protected override letGo(failure: Failure | undefined): void {
    this.#connection?.hangUp();
    this.#turn?.leave();
    if (failure?.code === "too-large" && this.#answer?.isStream) this.#options.large.hasOverflowed = true;
    if (failure) this.#controller?.abort(new NetworkError(failure));
    this.#tellHead(this.#answer?.head);
  }

  /** undici needs one turn of the event loop to release a connection, so that the next call can reuse it. */
  protected override whenReleased(told: () => void): void {
    setImmediate(() => setImmediate(told));
  }

  attached(at: TappedConnection): void {
    const { idle } = this.#options.timeouts;
    this.#connection = at;
    this.draft.attached(at);
    this.#idle ??= this.after(idle, fail("timeout-idle", `timeout: no byte arrived for ${idle} ms`));
  }

  sent(bytes: Uint8Array): void {
    this.#idle?.refresh();
    this.draft.sent(bytes);
  }

  received(bytes: Uint8Array): void {
    const { limits, large } = this.#options;
    this.#idle?.refresh();
    // undici limits only header fields; a start line or interim responses could be endless.
    if (!this.#answer && this.draft.bytesReceived > limits.headerBytes)
      this.finish(fail("too-large", "the response head is too long"));
    this.draft.received(bytes);
    const isBounded = this.#answer?.isStream && large.hasOverflowed;
    const most = isBounded ? Math.min(largeBytes, limits.wireBytes) : limits.wireBytes;
    if (this.draft.bytesReceived > most) this.finish(fail("too-large", `the response exceeds ${sizeText(most)}`));
  }

  ended(): void {
    this.#hasPeerClosed = true;
  }

  onRequestStart(started: Dispatcher.DispatchController): void {
    this.#controller = started;
    if (this.isDone) started.abort(new NetworkError(fail("aborted", "aborted before it was sent")));
  }

  onResponseStart({ rawHeaders }: Dispatcher.DispatchController, status: number, _headers: unknown, text = ""): void {
    if (this.isDone || status < 200) return;
    const { limits, isStream } = this.#options;
    this.#answer = createResponseReader({
      head: { status, statusText: text, headers: rawPairs(rawHeaders) },
      limits,
      clock: this.draft.clock,
      onEvent: (event) => this.arriving.push(event),
      onEnd: () => this.finish(),
      onFailure: this.finish,
    });
    if (this.#answer.isStream && isStream) {
      clearTimeout(this.#total);
      const { streamMs } = limits;
      this.after(streamMs, fail("timeout-total", `timeout: the stream was still open after ${streamMs} ms`));
    }
    this.#tellHead(this.#answer.head);
  }

  onResponseData(reading: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isDone) return;
    this.#answer?.write(chunk);
    // The chunk may have ended the call, which would never leave its turn.
    if (this.isDone || this.#turn || this.draft.bytesReceived <= largeBytes) return;
    const { large, timeouts } = this.#options;
    this.#turn = large.enter(timeouts.idle);
    if (!this.#turn.ready) return;
    reading.pause();
    void this.#turn.ready.then(() => {
      if (!this.isDone) reading.resume();
    });
  }

  onResponseEnd({ rawTrailers }: Dispatcher.DispatchController): void {
    clearTimeout(this.#idle);
    if (!this.isDone) this.#answer?.end(rawPairs(rawTrailers));
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.finish(this.draft.explain(failureFrom(error, this.#hasPeerClosed)));
  }
}

function dispatchOptions({ method, url, headers = [], body }: RequestSpec, route: Route): Dispatcher.DispatchOptions {
  // With a proxy, undici would use the proxy's host in the Host header.
  const host = route.proxy && !headerOf(headers, "host") ? ([["Host", new URL(url).host]] as const) : [];
  return {
    origin: route.origin,
    path: route.path,
    method,
    headers: [...host, ...headers, ...route.headers].flat(),
    ...(body && { body }),
  };
}

/** Latin-1 keeps every byte (RFC 9110 §5.5). */
const rawPairs = (raw: Dispatcher.DispatchController["rawHeaders"]): HeaderPairs =>
  Array.isArray(raw) ? pairsOf(raw.map((part) => (typeof part === "string" ? part : part.toString("latin1")))) : [];
