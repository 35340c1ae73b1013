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
      if (this.#onEmpty && requests.length === 0) socket.destroySoon();
    });
  }

  /** Closes each connection as soon as nothing is being answered on it, idle ones now; resolves when all are gone. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      for (const [socket, { requests, leased }] of this.#open) {
        if (requests.length === 0 && !leased) socket.destroy();
      }
      if (this.#open.size === 0) resolve();
    });
  }

  destroy(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}
