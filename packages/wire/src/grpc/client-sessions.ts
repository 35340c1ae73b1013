import { type ClientHttp2Session, connect } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { fail, NetworkError } from "../client/failure.ts";
import { type KeptReach, wayTo } from "../client/way-to.ts";

/** An HTTP/2 connection shared by calls. */
export interface SharedSession {
  readonly http2: ClientHttp2Session;
  readonly socket: Socket;
  readonly connectedAt: number;
  /** Number of calls so far. */
  carried: number;
  /** The peer has sent GOAWAY. */
  isGivenUp: boolean;
  /** Accepts no new calls; closes when its calls are done. */
  retire(): void;
}

/** Keeps one connection per authority. */
export interface Sessions {
  /** Rejects if it cannot connect. */
  to(url: URL): Promise<SharedSession>;
  /** Opens a new connection for one call, which closes it. */
  anewTo(url: URL): Promise<SharedSession>;
  close(): void;
}

/** Maximum headers of a response, however short. */
const maxHeaderFields = 1_000;

export function createSessions({ guard, trust, trustFor, proxies, connectMs, headerBytes }: KeptReach): Sessions {
  const closing = new AbortController();
  const dialing = { timeoutMs: connectMs, signal: closing.signal };
  const sessions = new Map<string, Promise<SharedSession>>();
  const open = new Set<ClientHttp2Session>();

  async function connectTo(url: URL, forget: () => void): Promise<SharedSession> {
    const socket = await wayTo(url, { guard, trust, trustFor, proxies, ...dialing, alpn: "h2" });
    // With https, the connection is a TLS socket.
    if (url.protocol === "https:" && (socket as TLSSocket).alpnProtocol !== "h2") {
      socket.destroy();
      throw new NetworkError(
        fail("tls", "the server did not negotiate HTTP/2 (ALPN h2)", "Check that this is the gRPC port."),
      );
    }
    const http2 = connect(url.origin, {
      createConnection: () => socket,
      maxHeaderListPairs: maxHeaderFields,
      settings: { enablePush: false, maxHeaderListSize: headerBytes },
    });
    open.add(http2);
    // Calls report the errors of their session; without this listener Node would exit.
    http2.on("error", forget);
    http2.on("goaway", () => {
      forget();
      session.isGivenUp = true;
    });
    http2.once("close", () => {
      forget();
      open.delete(http2);
    });
    const retire = (): void => {
      forget();
      http2.close();
    };
    const session = { http2, socket, connectedAt: performance.now(), carried: 0, isGivenUp: false, retire };
    return session;
  }

  function begin(url: URL): Promise<SharedSession> {
    const forget = (): void => {
      if (sessions.get(url.origin) === made) sessions.delete(url.origin);
    };
    const made = connectTo(url, forget);
    sessions.set(url.origin, made);
    made.catch(forget);
    return made;
  }

  async function to(url: URL): Promise<SharedSession> {
    const made = sessions.get(url.origin) ?? begin(url);
    const session = await made;
    if (!session.http2.closed && !session.http2.destroyed) return session;
    // A session is closed a moment before it emits the event.
    if (sessions.get(url.origin) === made) sessions.delete(url.origin);
    return to(url);
  }

  return {
    to,
    // Not shared, so there is nothing to forget.
    anewTo: (url) => connectTo(url, () => {}),
    close() {
      closing.abort();
      for (const session of open) session.destroy();
    },
  };
}
