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

/** One call on its way. Nothing here rejects: what goes wrong is told by the exchange. */
export interface GrpcClientCall {
  /** Each message as it arrives, up to the end or the first trouble; leaving the loop cancels the call. */
  readonly messages: AsyncIterable<GrpcMessage>;
  readonly finished: Promise<Exchange>;
  cancel(): void;
}

interface CallOptions extends OutgoingCallOptions {
  readonly url: URL;
  readonly path: string;
  /** The whole header list, as `writeHead` makes it. */
  readonly head: HeaderPairs;
  readonly message: Uint8Array;
  readonly sessions: Sessions;
  /** Over a connection that has carried nothing before. */
  readonly fresh: boolean;
  readonly proxy?: URL | undefined;
}

export class OutgoingGrpcCall extends OutgoingCall<GrpcMessage> implements GrpcClientCall {
  readonly cancel = this.hangUp;
  protected override readonly whenHungUp = fail("aborted", "we ended the call");
  readonly #options: CallOptions;
  readonly #body: Buffer;
  #session: SharedSession | undefined;
  #stream: ClientHttp2Stream | undefined;
  #answer: GrpcAnswer | undefined;
  #trailers: HeaderPairs = [];
  #headerBytes = 0;
  /** The peer ended its side with a header list, so all it had to say is here. */
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
    this.after(most, fail("timeout-total", `the call was still open after ${most} ms, so we ended it`));
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
    this.#idle = this.after(idle, fail("timeout-idle", `nothing arrived for ${idle} ms`));
    this.#listen(stream);
    stream.end(this.#body);
  }

  /**
   * A stream to send on; none when the call was ended meanwhile. A session may be closed, by its peer or by a call of ours
   * that failed on it, between the moment we get it and this one: nothing was sent then, and the next will do.
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
    // Node hands the fields in order as a third argument, which its types do not know.
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

  /** Something of this call arrived: fields, if any, count towards their limit, whichever list they are of. */
  #heard(fields: HeaderPairs): void {
    this.#idle?.refresh();
    this.draft.received(Buffer.alloc(0));
    for (const [name, value] of fields) this.#headerBytes += name.length + value.length + fieldOverhead;
    if (this.#headerBytes > this.#options.limits.headerBytes)
      this.finish(fail("too-large", "the answer's headers exceed our limit"));
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
      this.finish(fail("too-large", `the answer exceeds ${sizeText(wireBytes)}`));
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
    // A peer that answered before it had read all of the request still has it open, however well that ended.
    if (failure || !this.#stream?.writableFinished) this.#stream?.close(constants.NGHTTP2_CANCEL);
    // A server that babbles or stalls on one stream would do so on the next; only a call that we gave up says nothing of it.
    if (this.#options.fresh || (failure && failure.code !== "aborted")) this.#session?.retire();
  }
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
