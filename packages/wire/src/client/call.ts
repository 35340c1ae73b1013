import type { Dispatcher } from "undici";
import type { EgressGuard } from "../egress.ts";
import type { Exchange, Failure, HeaderPairs, ResponseHead, SseEvent } from "../recording/exchange.ts";
import type { Recording } from "../recording/recording.ts";
import { createDraft } from "./draft.ts";
import { fail, failureFrom, NetworkError } from "./failure.ts";
import { headerOf } from "./http-head.ts";
import { type LargeAnswers, type LargeTurn, largeBytes } from "./large-answers.ts";
import { type ResponseLimits, sizeText, type Timeouts } from "./limits.ts";
import { createQueue } from "./queue.ts";
import type { RequestSpec } from "./request-spec.ts";
import { createResponseReader, type ResponseReader } from "./response-reader.ts";
import type { Route } from "./routes.ts";
import { type ByteListener, dispatchTapped, type TappedConnection } from "./tap.ts";

/** One request on its way. Nothing here rejects: what goes wrong is told by the exchange. */
export interface HttpCall {
  /** Resolves when the answer's head has arrived, or with nothing when none will. */
  readonly head: Promise<ResponseHead | undefined>;
  /** The events as they arrive; leaving the loop hangs up. */
  readonly events: AsyncIterable<SseEvent>;
  readonly finished: Promise<Exchange>;
  hangUp(): void;
}

interface CallOptions {
  readonly spec: RequestSpec;
  readonly route: Route;
  readonly recording: Recording;
  readonly guard: EgressGuard;
  readonly limits: ResponseLimits;
  readonly large: LargeAnswers;
  readonly timeouts: Timeouts;
  /** An event stream is what was asked for: it may last as long as streams do. */
  readonly isStream: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly follows?: string | undefined;
}

export function startCall(options: CallOptions): HttpCall {
  const { spec, route, recording, guard, limits, large, timeouts, signal, follows } = options;
  const draft = createDraft({
    id: recording.issueId(),
    spec,
    bytesPerExchange: recording.bytesPerExchange,
    ...(follows && { follows }),
    ...(route.proxy && { proxy: route.proxy }),
  });
  const timers = new Set<NodeJS.Timeout>();
  const events = createQueue<SseEvent>(() => hangUp());
  let tellHead: (head: ResponseHead | undefined) => void;
  let tellFinished: (exchange: Exchange) => void;
  let controller: Dispatcher.DispatchController | undefined;
  let answer: ResponseReader | undefined;
  let connection: TappedConnection | undefined;
  let peerClosed = false;
  let turn: LargeTurn | undefined;
  let done = false;

  const head = new Promise<ResponseHead | undefined>((resolve) => {
    tellHead = resolve;
  });
  const finished = new Promise<Exchange>((resolve) => {
    tellFinished = resolve;
  });

  function finish(failure?: Failure): void {
    if (done) return;
    done = true;
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", hangUp);
    connection?.hangUp();
    turn?.leave();
    if (failure?.code === "too-large" && answer?.isStream) large.hasOverflowed = true;
    const exchange = draft.finish({ ...answer?.record(failure === undefined), ...(failure && { failure }) });
    if (failure) controller?.abort(new NetworkError(failure));
    events.end();
    tellHead(answer?.head);
    recording.finish(exchange);
    // undici takes one turn of the loop to give a connection back; a caller who asks again at once should find it there.
    setImmediate(() => setImmediate(() => tellFinished(exchange)));
  }

  const hangUp = (): void => finish(fail("aborted", "we ended the exchange before the answer was complete"));

  const after = (ms: number, failure: Failure): NodeJS.Timeout => {
    const timer = setTimeout(() => finish(failure), ms);
    timers.add(timer);
    return timer;
  };

  let idle: NodeJS.Timeout | undefined;
  const listener: ByteListener = {
    attached(at) {
      connection = at;
      draft.attached(at);
      idle ??= after(timeouts.idle, fail("timeout-idle", `no byte arrived for ${timeouts.idle} ms`));
    },
    sent(bytes) {
      idle?.refresh();
      draft.sent(bytes);
    },
    received(bytes) {
      idle?.refresh();
      // undici counts header fields only; a start line, or interim answers, could go on for ever.
      if (!answer && draft.bytesReceived > limits.headerBytes)
        finish(fail("too-large", "the answer's head does not end"));
      draft.received(bytes);
      const most = answer?.isStream && large.hasOverflowed ? Math.min(largeBytes, limits.wireBytes) : limits.wireBytes;
      if (draft.bytesReceived > most) finish(fail("too-large", `the answer exceeds ${sizeText(most)}`));
    },
    ended() {
      peerClosed = true;
    },
  };

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started;
      if (done) started.abort(new NetworkError(fail("aborted", "ended before it was sent")));
    },
    onResponseStart({ rawHeaders }, status, _headers, statusText = "") {
      if (done || status < 200) return;
      answer = createResponseReader({
        head: { status, statusText, headers: pairs(rawHeaders) },
        limits,
        clock: draft.clock,
        onEvent: (event) => events.push(event),
        onEnd: () => finish(),
        onFailure: finish,
      });
      if (answer.isStream && options.isStream) {
        clearTimeout(total);
        after(
          limits.streamMs,
          fail("timeout-total", `the stream was still open after ${limits.streamMs} ms, so we ended it`),
        );
      }
      tellHead(answer.head);
    },
    onResponseData(reading, chunk) {
      if (done) return;
      answer?.write(chunk);
      if (turn || draft.bytesReceived <= largeBytes) return;
      turn = large.enter(timeouts.idle);
      if (!turn.ready) return;
      reading.pause();
      void turn.ready.then(() => {
        if (!done) reading.resume();
      });
    },
    onResponseEnd({ rawTrailers }) {
      clearTimeout(idle);
      if (!done) answer?.end(pairs(rawTrailers));
    },
    onResponseError(_controller, error) {
      finish(draft.explain(failureFrom(error, peerClosed)));
    },
  };

  async function start(): Promise<void> {
    // A proxy resolves names itself, so this look at DNS is all we can do; on a direct way the guard stands at the dial.
    const decision = route.proxy ? await guard.checkUrl(spec.url) : { allowed: true as const };
    if (!decision.allowed) return finish(fail("refused-by-guard", decision.reason));
    if (done) return;
    dispatchTapped(route.dispatcher, dispatchOptions(spec, route), handler, listener);
  }

  const total = after(
    timeouts.total,
    fail("timeout-total", `the answer was not complete after ${timeouts.total} ms, so we ended it`),
  );
  signal?.addEventListener("abort", hangUp, { once: true });
  if (signal?.aborted) hangUp();
  else start().catch((error: unknown) => finish(failureFrom(error)));

  return { head, events, finished, hangUp };
}

function dispatchOptions({ method, url, headers = [], body }: RequestSpec, route: Route): Dispatcher.DispatchOptions {
  // Towards a proxy the connection's host is not the message's; undici would name the former.
  const host = route.proxy && !headerOf(headers, "host") ? ([["Host", new URL(url).host]] as const) : [];
  return {
    origin: route.origin,
    path: route.path,
    method,
    headers: [...host, ...headers, ...route.headers].flat(),
    ...(body && { body }),
  };
}

/** Raw fields come as names and values in turn. Latin-1 keeps every byte (RFC 9110 §5.5). */
function pairs(raw: Dispatcher.DispatchController["rawHeaders"]): HeaderPairs {
  if (!Array.isArray(raw)) return [];
  const texts = raw.map((part) => (typeof part === "string" ? part : part.toString("latin1")));
  return Array.from({ length: texts.length / 2 }, (_, index) => [texts[2 * index]!, texts[2 * index + 1]!] as const);
}
