import { type ClientHttp2Stream, constants } from "node:http2";
import type { DraftEnding } from "../client/draft.ts";
import { fail } from "../client/failure.ts";
import { pairsOf } from "../client/http-head.ts";
import { sizeText } from "../client/limits.ts";
import { OutgoingCall, type OutgoingCallOptions } from "../client/outgoing-call.ts";
import type { Exchange, Failure, GrpcMessage, HeaderPairs } from "../recording/exchange.ts";
import { createGrpcAnswer, type GrpcAnswer } from "./client-answer.ts";
import { http2Failure, resetFailure } from "./client-failure.ts";
import { asOutgoing } from "./client-metadata.ts";
import type { Sessions, SharedSession } from "./client-sessions.ts";
import { frame } from "./frame.ts";

/** One call in progress. It never rejects: the exchange contains the failure. */
export interface GrpcClientCall {
  /** Each message as it arrives, up to the end or the first error. Leaving the loop cancels the call. */
  readonly messages: AsyncIterable<GrpcMessage>;
  readonly finished: Promise<Exchange>;
  cancel(): void;
}

interface CallOptions extends OutgoingCallOptions {
  readonly url: URL;
  readonly path: string;
  /** The whole header list, as created by `writeHead`. */
  readonly head: HeaderPairs;
  readonly message: Uint8Array;
  readonly sessions: Sessions;
  /** Use a new connection. */
  readonly fresh: boolean;
  readonly proxy?: URL | undefined;
}

export class OutgoingGrpcCall extends OutgoingCall<GrpcMessage> implements GrpcClientCall {
  readonly cancel = this.hangUp;
  protected override readonly whenHungUp = fail("aborted", "Assay cancelled the call");
  readonly #options: CallOptions;
  readonly #body: Buffer;
  #session: SharedSession | undefined;
  #stream: ClientHttp2Stream | undefined;
  #answer: GrpcAnswer | undefined;
  #trailers: HeaderPairs = [];
  #headerBytes = 0;
  /** The peer ended its side with a header list, so everything has arrived. */
  #isComplete = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: CallOptions) {
    const { url, path, head, message, proxy, limits, timeouts, isStream } = options;
    const body = frame(message);
    const spec = { method: "POST", url: `${url.origin}${path}`, headers: head, body };
    super(options, { spec, http2: true, ...(proxy && { proxy }) });
    this.#options = options;
    this.#body = body;
    const most = isStream ? limits.streamMs : timeouts.total;
    this.after(most, fail("timeout-total", `timeout: the call was still open after ${most} ms`));
    this.begin(
      () => this.#start(),
      (error) => this.draft.explain(http2Failure(error, 0)),
    );
  }

  get messages(): AsyncIterable<GrpcMessage> {
    return this.arriving;
  }

  async #start(): Promise<void> {
    const opened = await this.#open();
    if (!opened) return;
    const [session, stream] = opened;
    this.#session = session;
    this.#stream = stream;
    this.draft.attached({ ...session, hangUp() {} });
    session.carried += 1;
    const { idle } = this.#options.timeouts;
    this.#idle = this.after(idle, fail("timeout-idle", `timeout: nothing arrived for ${idle} ms`));
    this.#listen(stream);
    stream.end(this.#body);
  }

  /**
   * Opens a stream. Returns undefined if the call was ended meanwhile. The peer, or a failed call of this client, may
   * close a session just before it is used. In that case nothing was sent, so the call tries the next session.
   */
  async #open(): Promise<[SharedSession, ClientHttp2Stream] | undefined> {
    const { sessions, fresh, url, head } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const given = await (fresh ? sessions.anewTo(url) : sessions.to(url));
      if (this.isDone) return undefined;
      try {
        return [given, given.http2.request(asOutgoing(head))];
      } catch (error) {
        if (attempt === mostSessions || !isClosedSession(error)) throw error;
      }
    }
  }

  #listen(to: ClientHttp2Stream): void {
    // Node passes the ordered headers as a third argument, which its types lack.
    const on = (event: string, listener: (list: HeaderPairs, flags: number) => void): unknown =>
      to.on(event, (_fields: unknown, flags: number, raw: readonly string[]) => {
        if (!this.isDone) listener(pairsOf(raw), flags);
      });
    on("headers", (fields) => this.#heard(fields));
    on("response", (headers, flags) => this.#answered(headers, flags));
    on("trailers", (fields) => {
      this.#trailers = fields;
      this.#isComplete = true;
      this.#heard(fields);
    });
    to.on("data", (chunk: Buffer) => this.#data(chunk));
    to.on("finish", () => this.draft.sent(this.#body));
    to.on("end", () => this.#ended(to)).on("close", () => this.#ended(to));
    to.on("error", (error) => {
      const failure = (): Failure => http2Failure(error, to.rstCode ?? 0, this.#session?.isGivenUp);
      this.finish(this.#isComplete ? this.#answer?.end() : this.draft.explain(failure()));
    });
  }

  /** Called when something arrives. Headers of all lists count towards one limit. */
  #heard(fields: HeaderPairs): void {
    this.#idle?.refresh();
    this.draft.received(Buffer.alloc(0));
    for (const [name, value] of fields) this.#headerBytes += name.length + value.length + fieldOverhead;
    if (this.#headerBytes > this.#options.limits.headerBytes)
      this.finish(fail("too-large", "the response headers exceed the limit"));
  }

  #answered(headers: HeaderPairs, flags: number): void {
    this.#heard(headers);
    if (this.isDone) return;
    this.#isComplete = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    this.#answer = createGrpcAnswer({
      status: Number(headers.find(([name]) => name === ":status")?.[1]),
      headers,
      limits: this.#options.limits,
      clock: this.draft.clock,
      onMessage: (arrived) => this.arriving.push(arrived),
      onFailure: this.finish,
    });
  }

  #data(chunk: Buffer): void {
    if (this.isDone) return;
    const { wireBytes } = this.#options.limits;
    this.#idle?.refresh();
    this.draft.received(chunk);
    if (this.draft.bytesReceived > wireBytes)
      this.finish(fail("too-large", `the response exceeds ${sizeText(wireBytes)}`));
    else this.#answer?.write(chunk);
  }

  #ended(stream: ClientHttp2Stream): void {
    if (this.isDone) return;
    const code = stream.rstCode ?? constants.NGHTTP2_NO_ERROR;
    if (this.#isComplete || (this.#answer && code === constants.NGHTTP2_NO_ERROR)) this.finish(this.#answer?.end());
    // Node ends the streams of a lost connection as if each had been cancelled.
    else if (!this.#session?.http2.destroyed && code !== constants.NGHTTP2_NO_ERROR)
      this.finish(this.draft.explain(resetFailure(code)));
    else this.finish(this.draft.explain(closedEarly));
  }

  protected override arrived(isWhole: boolean): DraftEnding | undefined {
    return this.#answer?.record(isWhole, this.#trailers);
  }

  protected override letGo(failure: Failure | undefined): void {
    // A peer that answered before it read the whole request still has the stream open.
    if (failure || !this.#stream?.writableFinished) this.#stream?.close(constants.NGHTTP2_CANCEL);
    // A server that misbehaves on one stream would do so on the next, so drop the session unless we aborted the call.
    if (this.#options.fresh || (failure && failure.code !== "aborted")) this.#session?.retire();
  }
}

/** Maximum sessions to try for one call. */
const mostSessions = 5;

const isClosedSession = (error: unknown): boolean => {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ERR_HTTP2_GOAWAY_SESSION" || code === "ERR_HTTP2_INVALID_SESSION";
};

const closedEarly = fail("closed-early", "the peer closed the connection before the response was complete");

/** Overhead per header in HTTP/2's size of a header list (RFC 9113 §6.5.2). */
const fieldOverhead = 32;
