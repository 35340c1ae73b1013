import type { A2AError, Dialect, JsonValue } from "@assay/protocol";
import type { EventStream, WireReply, WireRequest } from "@assay/wire/server";
import type { DecodedRequest, Encode, EventWriter, ServerBinding } from "./binding.ts";
import type { Refused } from "./failure.ts";
import type { RequestContext } from "./request-context.ts";

/** Shared by JSON-RPC and HTTP+JSON: one HTTP reply, complete or as server-sent events. */
export abstract class HttpBinding implements ServerBinding {
  readonly context: RequestContext;
  readonly head: WireRequest;
  protected readonly reply: WireReply;
  #isStreaming = false;

  constructor(context: RequestContext, request: WireRequest, reply: WireReply) {
    this.context = context;
    this.head = request;
    this.reply = reply;
  }

  abstract get dialect(): Dialect;
  protected abstract get contentType(): string;
  abstract read(): Promise<DecodedRequest>;
  protected abstract sendError(error: A2AError, encode: Encode): void;

  /** Describes the request of an error. */
  protected get refused(): Refused {
    const { host, operation } = this.context;
    return { agent: host.definition, authorization: this.head.headers.authorization, operation };
  }

  /** Wraps the JSON of a response or an event. */
  protected envelope(json: string): string {
    return json;
  }

  answer(json: JsonValue, headers: Record<string, string>): void {
    headers["Content-Type"] = this.contentType;
    this.reply.send(200, headers, this.envelope(JSON.stringify(json)));
  }

  events(headers: Record<string, string>): EventWriter {
    const stream = this.reply.events(headers);
    this.#isStreaming = true;
    return new SseWriter(stream, (json) => this.envelope(json));
  }

  error(thrown: unknown, encode: Encode): void {
    const error = this.context.failed(thrown);
    // The headers of the stream are sent, so the error cannot be reported; a cut connection does
    // not look complete.
    if (this.#isStreaming) this.reply.raw.destroy();
    else this.sendError(error, encode);
  }
}

class SseWriter implements EventWriter {
  readonly #stream: EventStream;
  readonly #envelope: (json: string) => string;

  constructor(stream: EventStream, envelope: (json: string) => string) {
    this.#stream = stream;
    this.#envelope = envelope;
  }

  get closed(): boolean {
    return this.#stream.closed;
  }

  send(json: JsonValue): Promise<void> | undefined {
    return this.#stream.send(this.#envelope(JSON.stringify(json)));
  }

  end(): void {
    this.#stream.end();
  }
}
