import { type ClientHttp2Stream, constants } from "node:http2";
import { createDraft } from "../client/draft.ts";
import { fail } from "../client/failure.ts";
import { type ResponseLimits, sizeText, type Timeouts } from "../client/limits.ts";
import { createQueue } from "../client/queue.ts";
import type { Exchange, Failure, GrpcMessage, HeaderPairs } from "../recording/exchange.ts";
import type { Recording } from "../recording/recording.ts";
import { createGrpcAnswer, type GrpcAnswer } from "./client-answer.ts";
import { http2Failure, resetFailure } from "./client-failure.ts";
import { asOutgoing } from "./client-metadata.ts";
import type { Sessions, SharedSession } from "./client-sessions.ts";
import { frame } from "./frame.ts";

/** One call on its way. Nothing here rejects: what goes wrong is told by the exchange. */
export interface GrpcClientCall {
  /** Each message as it arrives, up to the end or the first trouble; leaving the loop cancels the call. */
  readonly messages: AsyncIterable<GrpcMessage>;
  readonly finished: Promise<Exchange>;
  cancel(): void;
}

interface CallOptions {
  readonly url: URL;
  readonly path: string;
  /** The whole header list, as `writeHead` makes it. */
  readonly head: HeaderPairs;
  readonly message: Uint8Array;
  readonly sessions: Sessions;
  /** Over a connection that has carried nothing before. */
  readonly fresh: boolean;
  readonly recording: Recording;
  readonly limits: ResponseLimits;
  readonly timeouts: Timeouts;
  /** Any number of messages was asked for: they may come for as long as streams last. */
  readonly isStream: boolean;
  readonly proxy?: URL | undefined;
  readonly signal?: AbortSignal | undefined;
}

export function startGrpcCall(options: CallOptions): GrpcClientCall {
  const { url, path, head, message, sessions, fresh, recording, limits, timeouts, proxy, signal } = options;
  const body = frame(message);
  const draft = createDraft({
    id: recording.issueId(),
    spec: { method: "POST", url: `${url.origin}${path}`, headers: head, body },
    bytesPerExchange: recording.bytesPerExchange,
    http2: true,
    ...(proxy && { proxy }),
  });
  const messages = createQueue<GrpcMessage>(() => cancel());
  const timers = new Set<NodeJS.Timeout>();
  let tellFinished: (exchange: Exchange) => void;
  let session: SharedSession | undefined;
  let stream: ClientHttp2Stream | undefined;
  let answer: GrpcAnswer | undefined;
  let trailers: HeaderPairs = [];
  let headerBytes = 0;
  /** The peer ended its side with a header list, so all it had to say is here. */
  let complete = false;
  let done = false;

  const finished = new Promise<Exchange>((resolve) => {
    tellFinished = resolve;
  });

  function finish(failure?: Failure): void {
    if (done) return;
    done = true;
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
    const arrived = answer?.record(failure === undefined, trailers);
    const exchange = draft.finish({ ...arrived, ...(failure && { failure }) });
    // A peer that answered before it had read all of the request still has it open, however well that ended.
    if (failure || !stream?.writableFinished) stream?.close(constants.NGHTTP2_CANCEL);
    // A server that babbles or stalls on one stream would do so on the next; only a call that we gave up says nothing of it.
    if (fresh || (failure && failure.code !== "aborted")) session?.retire();
    messages.end();
    recording.finish(exchange);
    tellFinished(exchange);
  }

  function cancel(): void {
    finish(fail("aborted", "we ended the call"));
  }

  const after = (ms: number, failure: Failure): NodeJS.Timeout => {
    const timer = setTimeout(() => finish(failure), ms);
    timers.add(timer);
    return timer;
  };

  let idle: NodeJS.Timeout | undefined;

  /** Something of this call arrived: fields, if any, count towards their limit, whichever list they are of. */
  function heard(fields: HeaderPairs): void {
    idle?.refresh();
    draft.received(Buffer.alloc(0));
    for (const [name, value] of fields) headerBytes += name.length + value.length + fieldOverhead;
    if (headerBytes > limits.headerBytes) finish(fail("too-large", "the answer's headers exceed our limit"));
  }

  function listen(to: ClientHttp2Stream): void {
    // Node hands the fields in order as a third argument, which its types do not know.
    const on = (event: string, listener: (list: HeaderPairs, flags: number) => void): unknown =>
      to.on(event, (_fields: unknown, flags: number, raw: readonly string[]) => {
        if (!done) listener(pairs(raw), flags);
      });

    on("headers", heard);
    on("response", (headers, flags) => {
      heard(headers);
      if (done) return;
      complete = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      const status = Number(headers.find(([name]) => name === ":status")?.[1]);
      const onMessage = (arrived: GrpcMessage): void => messages.push(arrived);
      answer = createGrpcAnswer({ status, headers, limits, clock: draft.clock, onMessage, onFailure: finish });
    });
    on("trailers", (fields) => {
      trailers = fields;
      complete = true;
      heard(fields);
    });
    to.on("data", (chunk: Buffer) => {
      if (done) return;
      idle?.refresh();
      draft.received(chunk);
      if (draft.bytesReceived > limits.wireBytes) {
        finish(fail("too-large", `the answer exceeds ${sizeText(limits.wireBytes)}`));
      } else answer?.write(chunk);
    });
    to.on("finish", () => draft.sent(body));
    to.on("end", ended).on("close", ended);
    to.on("error", (error) =>
      finish(complete ? answer?.end() : draft.explain(http2Failure(error, to.rstCode ?? 0, session?.isGivenUp))),
    );
  }

  function ended(): void {
    if (done || !stream) return;
    const code = stream.rstCode ?? constants.NGHTTP2_NO_ERROR;
    if (complete || (answer && code === constants.NGHTTP2_NO_ERROR)) finish(answer?.end());
    // Node ends the streams of a lost connection as if each had been cancelled.
    else if (!session?.http2.destroyed && code !== constants.NGHTTP2_NO_ERROR)
      finish(draft.explain(resetFailure(code)));
    else finish(draft.explain(closedEarly));
  }

  async function start(): Promise<void> {
    const opened = await open();
    if (!opened) return;
    [session, stream] = opened;
    draft.attached({ ...session, hangUp() {} });
    session.carried += 1;
    idle = after(timeouts.idle, fail("timeout-idle", `nothing arrived for ${timeouts.idle} ms`));
    listen(stream);
    stream.end(body);
  }

  /**
   * A stream to send on; none when the call was ended meanwhile. A session may be closed, by its peer or by a call of ours
   * that failed on it, between the moment we get it and this one: nothing was sent then, and the next will do.
   */
  async function open(): Promise<[SharedSession, ClientHttp2Stream] | undefined> {
    for (let attempt = 1; ; attempt++) {
      const given = await (fresh ? sessions.anewTo(url) : sessions.to(url));
      if (done) return undefined;
      try {
        return [given, given.http2.request(asOutgoing(head))];
      } catch (error) {
        if (attempt === mostSessions || !isClosedSession(error)) throw error;
      }
    }
  }

  const most = options.isStream ? limits.streamMs : timeouts.total;
  after(most, fail("timeout-total", `the call was still open after ${most} ms, so we ended it`));
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();
  else start().catch((error: NodeJS.ErrnoException) => finish(draft.explain(http2Failure(error, 0))));

  return { messages, finished, cancel };
}

/** Sessions that are tried for one call before it is said that the peer closes them. */
const mostSessions = 5;

const isClosedSession = (error: unknown): boolean => {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ERR_HTTP2_GOAWAY_SESSION" || code === "ERR_HTTP2_INVALID_SESSION";
};

const closedEarly = fail("closed-early", "the peer closed the connection before the answer was complete");

/** What HTTP/2 adds for each field when it speaks of a list's size (RFC 9113 §6.5.2). */
const fieldOverhead = 32;

const pairs = (raw: readonly string[]): HeaderPairs =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!] as const);
