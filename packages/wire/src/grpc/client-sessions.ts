import { type ClientHttp2Session, connect } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { fail, NetworkError } from "../client/failure.ts";
import { type KeptReach, wayTo } from "../client/way-to.ts";

/** An HTTP/2 connection that calls share. */
export interface SharedSession {
  readonly http2: ClientHttp2Session;
  readonly socket: Socket;
  readonly connectedAt: number;
  /** Calls before the next one. */
  carried: number;
  /** The peer has sent GOAWAY. */
  isGivenUp: boolean;
  /** No new calls on it; it closes when those under way are over. */
  retire(): void;
}

/** One connection per authority, kept for the calls to come. */
export interface Sessions {
  /** Rejects when there is no way there. */
  to(url: URL): Promise<SharedSession>;
  /** The same over a new connection that no other call shares: its call lets go of it. */
  anewTo(url: URL): Promise<SharedSession>;
  close(): void;
}

/** More fields than this are no answer any more, however short each of them is. */
const maxHeaderFields = 1_000;

export function createSessions({ guard, trust, trustFor, proxies, connectMs, headerBytes }: KeptReach): Sessions {
  const closing = new AbortController();
  const dialing = { timeoutMs: connectMs, signal: closing.signal };
  const sessions = new Map<string, Promise<SharedSession>>();
  const open = new Set<ClientHttp2Session>();

  async function connectTo(url: URL, forget: () => void): Promise<SharedSession> {
    const socket = await wayTo(url, { guard, trust, trustFor, proxies, ...dialing, alpn: "h2" });
    // With https, what is dialed is a TLS socket.
    if (url.protocol === "https:" && (socket as TLSSocket).alpnProtocol !== "h2") {
      socket.destroy();
      throw new NetworkError(fail("tls", "the server did not agree on HTTP/2 (ALPN h2)", "Does it speak gRPC there?"));
    }
    const http2 = connect(url.origin, {
      createConnection: () => socket,
      maxHeaderListPairs: maxHeaderFields,
      settings: { enablePush: false, maxHeaderListSize: headerBytes },
    });
    open.add(http2);
    // What happens to a session happens to its calls, which tell it; without a listener it would be our end.
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
    // A session is closed a moment before it says so.
    if (sessions.get(url.origin) === made) sessions.delete(url.origin);
    return to(url);
  }

  return {
    to,
    // Nothing shares it, so nothing has to be forgotten.
    anewTo: (url) => connectTo(url, () => {}),
    close() {
      closing.abort();
      for (const session of open) session.destroy();
    },
  };
}
