import type { Socket } from "node:net";
import { Queue, type Queued } from "./queue.ts";
import type { ServedRequest } from "./served-request.ts";

interface Connection extends Queued<Connection> {
  readonly socket: Socket;
  /**
   * Open requests, oldest first. An array, because a Set that gains and loses one member per request keeps being
   * rehashed.
   */
  readonly requests: ServedRequest[];
  begun: number;
  /** closed elsewhere when its work is done */
  leased?: true;
}

/** Its connection, as a member of the socket: see `Queue` for why there is no Map. */
const ofSocket = Symbol("connection");

type KnownSocket = Socket & { [ofSocket]?: Connection | undefined };

const connectionOf = (socket: KnownSocket): Connection | undefined => socket[ofSocket];

/** The open connections and their requests: several if a client pipelines them. */
export class Connections {
  readonly #open = new Queue<Connection>();
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

  add(socket: KnownSocket): void {
    const connection: Connection = { socket, requests: [], begun: 0, ahead: undefined, behind: undefined };
    socket[ofSocket] = connection;
    this.#open.add(connection);
    socket.on("close", () => {
      // Node closes only the response that it is writing, not those queued after it.
      for (const request of connection.requests) request.settle();
      this.#open.delete(connection);
      socket[ofSocket] = undefined;
      if (this.#open.size === 0) this.#onEmpty?.();
    });
  }

  /** HTTP/2 counts its calls itself, and closes the connection after the last one. */
  lease(socket: Socket): void {
    const connection = connectionOf(socket);
    if (connection) connection.leased = true;
  }

  /** Returns the latest open request on this connection. */
  latest(socket: Socket): ServedRequest | undefined {
    return connectionOf(socket)?.requests.at(-1);
  }

  begin(request: ServedRequest): void {
    const { message, response } = request;
    const { socket } = message;
    const connection = connectionOf(socket);
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
      else afterPause(this.#pauseMs, () => closeIfIdle(connection));
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
    for (const connection of this.#open) closeIfIdle(connection);
  }

  destroy(): void {
    for (const { socket } of this.#open) socket.destroy();
  }
}

function closeIfIdle({ socket, requests, leased }: Connection): void {
  if (requests.length === 0 && !leased) socket.destroy();
}

/** Reads arrived data first, even if the process was suspended meanwhile. */
const afterPause = (ms: number, work: () => void): void => void setTimeout(() => setImmediate(work), ms);
