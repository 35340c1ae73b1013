import { Agent } from "node:http";
import { type ClientHttp2Session, connect } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { type WayOptions, wayTo } from "@assay/wire/passing";

/** The agent connections of one client connection. When the agent closes one, the client's is closed too. */
export class Upstream {
  readonly #ways: WayOptions;
  readonly #onIdleClose: () => void;
  readonly #agents = new Map<string, Agent>();
  readonly #sessions = new Map<string, Promise<ClientHttp2Session>>();
  #isClosed = false;

  /** `onIdleClose`: the agent closed an idle connection */
  constructor(ways: WayOptions, onIdleClose: () => void) {
    this.#ways = ways;
    this.#onIdleClose = onIdleClose;
  }

  /** Returns the agent for HTTP/1.1 requests to a host, which uses one connection for all of them. */
  http1(origin: URL): Agent {
    const known = this.#agents.get(origin.origin);
    if (known) return known;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ways = this.#ways;
    const watch = (socket: Socket): Socket =>
      // Node removes its own listeners from an idle connection and adds them again with the next request.
      socket.once("close", () => {
        const isIdle = Object.values(agent.sockets).every((sockets) => !sockets?.includes(socket));
        if (isIdle && !this.#isClosed) this.#onIdleClose();
      });
    // Node's types omit that a connection may be created asynchronously through the callback.
    Object.assign(agent, {
      createConnection(_options: unknown, created: (error: Error | null, socket?: Socket) => void): void {
        wayTo(origin, ways).then(
          (socket) => created(null, watch(socket)),
          (error: Error) => created(error),
        );
      },
    });
    this.#agents.set(origin.origin, agent);
    return agent;
  }

  /** Returns the session for HTTP/2 streams to a host. Rejects if it cannot connect. */
  async http2(origin: URL): Promise<ClientHttp2Session> {
    const known = await this.#sessions.get(origin.origin)?.catch(() => undefined);
    if (known && !known.closed && !known.destroyed) return known;
    const made = this.#connect(origin);
    this.#sessions.set(origin.origin, made);
    return made;
  }

  async #connect(origin: URL): Promise<ClientHttp2Session> {
    const socket = await wayTo(origin, { ...this.#ways, alpn: "h2" });
    // With https, the connection is a TLS socket.
    if (origin.protocol === "https:" && (socket as TLSSocket).alpnProtocol !== "h2") {
      socket.destroy();
      throw Object.assign(new Error("the server did not negotiate HTTP/2 (ALPN h2)"), { code: "ERR_HTTP2_ERROR" });
    }
    const session = connect(origin.origin, { createConnection: () => socket, settings: { enablePush: false } });
    // Streams report the errors of their session; without this listener Node would throw.
    session.on("error", () => {});
    session.once("close", () => {
      if (!this.#isClosed) this.#onIdleClose();
    });
    if (this.#isClosed) session.destroy();
    return session;
  }

  /** Returns separate connections to the same agent. Its caller closes them. */
  beside(): Upstream {
    return new Upstream(this.#ways, () => {});
  }

  close(): void {
    this.#isClosed = true;
    for (const agent of this.#agents.values()) agent.destroy();
    for (const session of this.#sessions.values())
      session.then(
        (each) => each.close(),
        () => {},
      );
  }
}
