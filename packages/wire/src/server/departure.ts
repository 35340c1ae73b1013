import type { Socket } from "node:net";
import { WireError } from "./wire-error.ts";

/**
 * Detects a client that disconnects before its response ended.
 *
 * Most handlers never ask, and an AbortController costs about as much as reading a small body, so it is created on
 * demand. A FIN counts as disconnecting: nothing else arrives when a client aborts a request, and waiting for a failed
 * write could take until the next event.
 */
export class Departure {
  readonly #socket: Socket | undefined;
  #controller: AbortController | undefined;
  #reason: WireError | undefined;

  /** `socket`: the connection, if its end means the end of the request. */
  constructor(socket: Socket | undefined) {
    this.#socket = socket;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
      else if (this.#socket?.readableEnded) this.#left();
      else this.#socket?.once("end", this.#left);
    }
    return this.#controller.signal;
  }

  announce(reason: WireError): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  /** The response is over; the connection may continue with the next request. */
  settle(answered: boolean): void {
    if (this.#controller) this.#socket?.removeListener("end", this.#left);
    if (!answered) this.#left();
  }

  readonly #left = (): void => this.announce(new WireError("disconnected", "the client closed the connection"));
}
