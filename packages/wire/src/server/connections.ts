import type { Socket } from "node:net";
import type { ServedRequest } from "./served-request.ts";

interface Connection {
  /** Not over yet, oldest first. An array: a Set that gains and loses one member per request keeps being rehashed. */
  readonly requests: ServedRequest[];
  begun: number;
  /** it is closed elsewhere when its work is done */
  leased?: true;
}

/** The open connections and the requests on each: several when a client pipelines them. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #requestsEach: number;
  #onEmpty: (() => void) | undefined;
  /** how long a connection that was promised to stay waits for its next request, once it is to be closed */
  #pauseMs = 0;

  /** `requestsEach`: after how many requests a connection is closed; 0 for never. */
  constructor(requestsEach: number) {
    this.#requestsEach = requestsEach;
  }

  get size(): number {
    return this.#open.size;
  }

  add(socket: Socket): void {
    const connection: Connection = { requests: [], begun: 0 };
    this.#open.set(socket, connection);
    socket.once("close", () => {
      // Node closes only the response it is writing; those queued behind it would never hear of it.
      for (const request of connection.requests) request.settle();
      this.#open.delete(socket);
      if (this.#open.size === 0) this.#onEmpty?.();
    });
  }

  /** HTTP/2 counts its calls itself, and closes the connection behind the last one. */
  lease(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection) connection.leased = true;
  }

  /** The request on this connection that began last and is not over. */
  latest(socket: Socket): ServedRequest | undefined {
    return this.#open.get(socket)?.requests.at(-1);
  }

  begin(request: ServedRequest): void {
    const { message, response } = request;
    const { socket } = message;
    const connection = this.#open.get(socket);
    if (!connection) return;
    const { requests } = connection;
    requests.push(request);
    // Node's own maxRequestsPerSocket announces the end and then keeps the connection open.
    if (++connection.begun === this.#requestsEach) response.shouldKeepAlive = false;
    response.on("close", () => {
      request.settle();
      requests.splice(requests.indexOf(request), 1);
      if (!this.#onEmpty || requests.length > 0) return;
      // Its head may have been written when another request was still welcome.
      if (!response.shouldKeepAlive || this.#pauseMs === 0) socket.destroySoon();
      else afterPause(this.#pauseMs, () => this.#closeIfIdle(socket));
    });
  }

  /**
   * Closes each connection as soon as nothing is being answered on it; resolves when all are gone. Idle ones are closed after a
   * pause: the next request may be on its way already.
   */
  drain(pauseMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      this.#pauseMs = pauseMs;
      if (this.#open.size === 0) resolve();
      else if (pauseMs === 0) this.#closeIdle();
      else afterPause(pauseMs, () => this.#closeIdle());
    });
  }

  #closeIdle(): void {
    for (const socket of this.#open.keys()) this.#closeIfIdle(socket);
  }

  #closeIfIdle(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection && connection.requests.length === 0 && !connection.leased) socket.destroy();
  }

  destroy(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}

/** What has arrived meanwhile is read first, also where the process stood still for so long. */
const afterPause = (ms: number, work: () => void): void => void setTimeout(() => setImmediate(work), ms);
