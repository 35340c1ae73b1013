import type { Call } from "../../define/call.ts";

/** Sends requests that several checks make only once (see `share` of a request). */
export class SharedCalls {
  readonly #calls = new Map<string, Promise<Call>>();

  has(name: string): boolean {
    return this.#calls.has(name);
  }

  /** Returns the response to the request of this name. */
  once(name: string, send: () => Promise<Call>): Promise<Call> {
    const known = this.#calls.get(name);
    if (known) return known;
    const call = send();
    this.#calls.set(name, call);
    // A request that could not be made is tried again by the next caller.
    call.catch(() => this.#calls.delete(name));
    return call;
  }
}
