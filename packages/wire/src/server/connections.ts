import type { Socket } from "node:net";
import type { ServedRequest } from "./served-request.ts";

interface Connection {
  /**
   * Open requests, oldest first. An array, because a Set that gains and loses one member per request keeps being
   * rehashed.
   */
  readonly requests: ServedRequest[];
  begun: number;
  /** closed elsewhere when its work is done */
  leased?: true;
}

/** The open connections and their requests: several if a client pipelines them. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #requestsEach: number;
  #onEmpty: (() => void) | undefined;
  /** how long a kept connection waits for its next request before it is closed */
  #pauseMs = 0;

  /** `requestsEach`: closes a connection after this many requests; 0 for never. */
  constructor(requestsEach: number) {
    this.#requestsEach = requestsEach;
  }

  get size(): number {
    return this.#open.size;
  }

  add(socket: Socket): void {
    const connection: Connection = { requests: [], begun: 0 };
    this.#open.set(socket, connection);
    socket.on("close", () => {
      // Node closes only the response that it is writing, not those queued after it.
      for (const request of connection.requests) request.settle();
      this.#open.delete(socket);
      if (this.#open.size === 0) this.#onEmpty?.();
    });
  }

  /** HTTP/2 counts its calls itself, and closes the connection after the last one. */
  lease(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection) connection.leased = true;
  }

  /** Returns the latest open request on this connection. */
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
    // Node's own maxRequestsPerSocket announces the end but keeps the connection open.
    if (++connection.begun === this.#requestsEach) response.shouldKeepAlive = false;
    response.on("close", () => {
      request.settle();
      requests.splice(requests.indexOf(request), 1);
      if (!this.#onEmpty || requests.length > 0) return;
      // Its head may have been written while another request was still allowed.
      if (!response.shouldKeepAlive || this.#pauseMs === 0) socket.destroySoon();
      else afterPause(this.#pauseMs, () => this.#closeIfIdle(socket));
    });
  }

  /**
   * Closes each connection once it is idle, and resolves when all are closed. Idle ones are closed after a pause,
   * because the next request may already be on its way.
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

/** Reads arrived data first, even if the process was suspended meanwhile. */
const afterPause = (ms: number, work: () => void): void => void setTimeout(() => setImmediate(work), ms);
