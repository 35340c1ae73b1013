import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Body } from "./body.ts";
import { type ClientCertificate, certificateOf } from "./client-certificate.ts";
import type { Departure } from "./departure.ts";
import type { WireRequest } from "./handler.ts";
import { parseRequestTarget } from "./request-target.ts";

/** Node's message for a handler. Expensive parts are computed on demand. */
export class IncomingRequest implements WireRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly host: string;
  readonly secure: boolean;
  readonly #message: IncomingMessage;
  readonly #body: Body;
  readonly #departure: Departure;

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
    this.#departure = departure;
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
    return this.#departure.signal;
  }

  body(): Promise<Buffer> {
    return this.#body.read();
  }
}
