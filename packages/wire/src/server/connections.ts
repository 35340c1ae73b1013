import type { Socket } from "node:net";
import type { Exchange } from "./exchange.ts";

/** The open connections and what is being exchanged on each; several at once when requests are pipelined. */
export class Connections {
  readonly #open = new Map<Socket, Set<Exchange>>();
  #draining = false;

  get size(): number {
    return this.#open.size;
  }

  add(socket: Socket): void {
    this.#open.set(socket, new Set());
    socket.once("close", () => {
      // Node closes only the response it is writing; those queued behind it would never hear of it.
      for (const exchange of this.on(socket)) exchange.settle();
      this.#open.delete(socket);
    });
  }

  /** Oldest first. */
  on(socket: Socket): readonly Exchange[] {
    return [...(this.#open.get(socket) ?? [])];
  }

  begin(exchange: Exchange): void {
    const { socket } = exchange.message;
    const exchanges = this.#open.get(socket);
    exchanges?.add(exchange);
    exchange.response.on("close", () => {
      exchange.settle();
      exchanges?.delete(exchange);
      if (this.#draining && exchanges?.size === 0) socket.destroySoon();
    });
  }

  /** Closes each connection as soon as nothing is being answered on it: idle ones now. */
  drain(): void {
    this.#draining = true;
    for (const [socket, exchanges] of this.#open) if (exchanges.size === 0) socket.destroy();
  }

  destroy(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }
}
