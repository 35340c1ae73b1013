import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Body } from "./body.ts";
import { type ClientCertificate, certificateOf } from "./client-certificate.ts";
import type { ServerContext } from "./context.ts";
import { Departure } from "./departure.ts";
import type { Handler, WireRequest } from "./handler.ts";
import { OutgoingReply } from "./reply.ts";
import { parseRequestTarget } from "./request-target.ts";
import { statusBody } from "./status-body.ts";
import { Transit } from "./transit.ts";
import { WireError } from "./wire-error.ts";

/** Node's message for a handler. Expensive parts are computed on demand. */
class IncomingRequest implements WireRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly host: string;
  readonly secure: boolean;
  readonly #message: IncomingMessage;
  readonly #body: Body;
  readonly departure: Departure;

  constructor(message: IncomingMessage, body: Body, departure: Departure, secure: boolean) {
    const target = parseRequestTarget(message.url ?? "/");
    this.method = message.method ?? "GET";
    this.path = target.path;
    this.query = target.query;
    this.headers = message.headers;
    this.host = target.authority ?? message.headers.host ?? "";
    this.secure = secure;
    this.#message = message;
    this.#body = body;
    this.departure = departure;
  }

  get rawHeaders(): string[] {
    return this.#message.rawHeaders;
  }

  /** Empty if the client has already disconnected. */
  get remoteAddress(): string {
    return this.#message.socket.remoteAddress ?? "";
  }

  get certificate(): ClientCertificate | undefined {
    return certificateOf(this.#message.socket);
  }

  get signal(): AbortSignal {
    return this.departure.signal;
  }

  body(): Promise<Buffer> {
    return this.#body.read();
  }
}

/** One request and its response, from the parsed head until the response is sent or the client disconnects. */
export class ServedRequest {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Body;
  readonly #departure: Departure;
  readonly #transit: Transit;
  readonly #reply: OutgoingReply;
  readonly #context: ServerContext;

  constructor(message: IncomingMessage, response: ServerResponse, context: ServerContext, invite?: () => void) {
    this.message = message;
    this.response = response;
    this.#transit = new Transit(context, () => message.socket.remoteAddress);
    this.body = new Body(message, context.limits.bodyBytes, this.#transit, invite);
    // An HTTP/2 stream can end while others continue, so events of the socket do not apply.
    this.#departure = new Departure(message.httpVersionMajor === 1 ? message.socket : undefined);
    this.#reply = new OutgoingReply(response, this.body, this.#departure, this.#transit, context);
    this.#context = context;
  }

  handle(handler: Handler): void {
    const { message } = this;
    // RFC 9112 §3.2. Node would reject it too, but without a body.
    if (message.headers.host === undefined && message.httpVersion === "1.1") {
      this.refuse(400, "An HTTP/1.1 request needs a Host header.");
      return;
    }
    const request = new IncomingRequest(message, this.body, this.#departure, this.#context.secure);
    try {
      const working = handler(request, this.#reply);
      if (working instanceof Promise) working.catch((error: unknown) => this.#failed(error));
    } catch (error) {
      this.#failed(error);
    }
  }

  refuse(status: number, message: string): void {
    this.#reply.send(status, { "Content-Type": "application/json" }, statusBody(status, message));
  }

  /** Called when the response or its connection closed. */
  settle(): void {
    this.#departure.settle(this.response.writableFinished);
    this.body.settle();
    this.#transit.release();
  }

  #failed(error: unknown): void {
    const { headersSent } = this.response;
    const known = error instanceof WireError && error.status !== 500 ? error : undefined;
    if (!known) this.#context.onInternalError(error);
    if (!headersSent) this.refuse(known?.status ?? 500, known?.message ?? "The server failed to handle this request.");
    // Too late for an error response; a cut connection at least does not look like a complete one.
    else if (!this.#reply.isComplete) this.response.destroy();
  }
}
