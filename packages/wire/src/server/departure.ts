import type { Socket } from "node:net";
import type { StopSignal } from "./handler.ts";
import { WireError } from "./wire-error.ts";

/**
 * Detects a client that disconnects before its response ended.
 *
 * It is a signal itself, because an AbortController costs about as much as reading a small body. That one is created on
 * demand. A FIN counts as disconnecting: nothing else arrives when a client aborts a request, and waiting for a failed
 * write could take until the next event.
 */
export class Departure implements StopSignal {
  readonly #socket: Socket | undefined;
  #controller: AbortController | undefined;
  #reason: WireError | undefined;
  #listeners: (() => void)[] | undefined;
  #onEnd: (() => void) | undefined;

  /** `socket`: the connection, if its end means the end of the request. */
  constructor(socket: Socket | undefined) {
    this.#socket = socket;
  }

  get aborted(): boolean {
    this.#watch();
    return this.#reason !== undefined;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    this.#watch();
    this.#listeners ??= [];
    this.#listeners.push(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    const at = this.#listeners?.indexOf(listener) ?? -1;
    if (at >= 0) this.#listeners?.splice(at, 1);
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      this.#watch();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  announce(reason: WireError): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const listener of listeners ?? []) listener();
  }

  /** The response is over; the connection may continue with the next request. */
  settle(answered: boolean): void {
    if (this.#onEnd) this.#socket?.removeListener("end", this.#onEnd);
    if (!answered) this.#left();
    // A closed socket outlives some garbage collections, and everything that it reaches would be moved with it.
    this.#listeners = undefined;
  }

  #watch(): void {
    const socket = this.#socket;
    if (!socket || this.#onEnd || this.#reason) return;
    this.#onEnd = () => this.#left();
    if (socket.readableEnded) this.#left();
    else socket.on("end", this.#onEnd);
  }

  #left(): void {
    if (!this.#reason) this.announce(new WireError("disconnected", "the client closed the connection"));
  }
}
