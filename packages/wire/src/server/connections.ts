import type { Socket } from "node:net";
import type { Exchange } from "./exchange.ts";

interface Connection {
  /** Not over yet, oldest first. An array: a Set that gains and loses one member per request keeps being rehashed. */
  readonly exchanges: Exchange[];
  begun: number;
  /** somebody else closes it when its work is done */
  leased?: true;
}

/** The open connections and what is being exchanged on each: several exchanges when requests are pipelined. */
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
    const connection: Connection = { exchanges: [], begun: 0 };
    this.#open.set(socket, connection);
    socket.once("close", () => {
      // Node closes only the response it is writing; those queued behind it would never hear of it.
      for (const exchange of connection.exchanges) exchange.settle();
      this.#open.delete(socket);
      if (this.#open.size === 0) this.#onEmpty?.();
    });
  }

  /** HTTP/2 counts its calls itself, and closes the connection behind the last one. */
  lease(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection) connection.leased = true;
  }

  /** The exchange on this connection that began last and is not over. */
  latest(socket: Socket): Exchange | undefined {
    return this.#open.get(socket)?.exchanges.at(-1);
  }

  begin(exchange: Exchange): void {
    const { message, response } = exchange;
    const { socket } = message;
    const connection = this.#open.get(socket);
    if (!connection) return;
    const { exchanges } = connection;
    exchanges.push(exchange);
    // Node's own maxRequestsPerSocket announces the end and then keeps the connection open.
    if (++connection.begun === this.#requestsEach) response.shouldKeepAlive = false;
    response.on("close", () => {
      exchange.settle();
      exchanges.splice(exchanges.indexOf(exchange), 1);
      if (this.#onEmpty && exchanges.length === 0) socket.destroySoon();
    });
  }

  /** Closes each connection as soon as nothing is being answered on it, idle ones now; resolves when all are gone. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      for (const [socket, { exchanges, leased }] of this.#open) {
        if (exchanges.length === 0 && !leased) socket.destroy();
      }
      if (this.#open.size === 0) resolve();
    });
  }

  destroy(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}
