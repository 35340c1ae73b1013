import type { Socket } from "node:net";
import { WireError } from "./wire-error.ts";

/**
 * Knows when a client left before its answer ended.
 *
 * Most handlers never ask, and an AbortController costs about as much as reading a small body, so it is made when
 * somebody does. A FIN counts as leaving: nothing else arrives when a client aborts a request, and waiting for a
 * write to fail could take until the next event.
 */
export class Departure {
  readonly #socket: Socket | undefined;
  #controller: AbortController | undefined;
  #reason: WireError | undefined;

  /** `socket`: the connection, where its end is that of the request. */
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

  /** The answer is over; the connection may live on with the next request. */
  settle(answered: boolean): void {
    if (this.#controller) this.#socket?.removeListener("end", this.#left);
    if (!answered) this.#left();
  }

  readonly #left = (): void => this.announce(new WireError("disconnected", "the client closed the connection"));
}
