import {
  createServer as createHttp1,
  type Server as Http1Server,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer as createHttp2, type Http2Server, type Http2Session, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { isLoopback } from "@assay/protocol";
import {
  createHostCheck,
  looksLikeHttp2,
  parseRequestTarget,
  reachableHost,
  type WayOptions,
} from "@assay/wire/passing";
import type { ClientConnection, Passing } from "./client-connection.ts";
import { answer, passHttp1 } from "./http1.ts";
import { passHttp2 } from "./http2.ts";
import { Upstream } from "./upstream.ts";

/**
 * Returns true if a web page of another site sent this request. A browser sends a page's requests from this machine, so
 * the page would use our connection to the agent and our client certificate. Pages of this machine, of the agent and of
 * hosts that the operator named are allowed. Programs other than browsers send neither `Origin` nor `Sec-Fetch-Site`.
 */
function isForeignPage(
  { origin, "sec-fetch-site": site }: IncomingHttpHeaders,
  authority: string | undefined,
  allowHosts: readonly string[],
): boolean {
  if (origin === undefined) return site === "cross-site" || site === "same-site";
  if (!/^https?:\/\//i.test(origin) || !URL.canParse(origin)) return true;
  const { host, hostname } = new URL(origin);
  const isAllowed = allowHosts.some((each) => each.toLowerCase() === hostname);
  return !(isLoopback(hostname) || isAllowed || host === authority?.toLowerCase());
}

interface PassingServerOptions {
  readonly host: string;
  /** 0: any free port */
  readonly port: number;
  /** further host names that clients may use for the proxy */
  readonly allowHosts?: readonly string[];
  readonly ways: WayOptions;
  readonly proxy: Passing;
}

interface PassingServer {
  /** `127.0.0.1:4050` */
  readonly authority: string;
  /** Ends all open connections. */
  close(): Promise<void>;
}

interface Refusal {
  readonly status: number;
  readonly text: string;
}

const headerBytes = 64 * 1024;
/** A connection that stays silent this long is treated as HTTP/1.1. */
const prefaceMs = 5_000;
/** Time between two attempts to listen again. */
const retryMs = 50;

/** Returns the requested path, or the reason for rejecting the request. Rejections emit a notice. */
type Admit = (
  written: string | undefined,
  host: string | undefined,
  headers: IncomingHttpHeaders,
) => { readonly path: string } | Refusal;

/** Listens on one port for HTTP/1.1 and cleartext HTTP/2, and forwards everything. */
export async function servePassing(options: PassingServerOptions): Promise<PassingServer> {
  const { host, port, proxy } = options;
  const connections = new Connections(options);
  const admit = createAdmit(options);
  const http1 = createHttp1Side(proxy, admit, connections);
  const { http2, sessions } = createHttp2Side(proxy, admit, connections);
  const sockets = new Set<Socket>();
  const front = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).once("close", () => sockets.delete(socket));
    looksLikeHttp2(socket, prefaceMs, (isHttp2) => {
      if (!isHttp2) return void http1.emit("connection", socket);
      // HTTP/2 has no half-closed connections: a client that closes its side is gone.
      socket.allowHalfOpen = false;
      http2.emit("connection", socket);
    });
  });
  const address = await bind(front, host, port);
  const drop = (): void => {
    for (const session of sessions) session.destroy();
    for (const socket of sockets) socket.destroy();
  };
  const pause = proxy.faults && new Pause(front, host, address.port);
  if (proxy.faults && pause)
    proxy.faults.refuse = (ms) => {
      pause.begin(ms);
      drop();
    };
  return {
    authority: `${reachableHost(address)}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        pause?.end();
        front.close(() => resolve());
        drop();
        http1.close();
      }),
  };
}

/** A pause in which nothing listens on the port, caused by a fault. */
class Pause {
  readonly #front: Server;
  readonly #host: string;
  readonly #port: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(front: Server, host: string, port: number) {
    this.#front = front;
    this.#host = host;
    this.#port = port;
    // Another program may have taken the port in the meantime.
    front.on("error", () => this.#listenIn(retryMs));
  }

  begin(ms: number): void {
    this.#front.close();
    this.#listenIn(ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #listenIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#front.listen(this.#port, this.#host), ms);
  }
}

/** The client connections, each with its own connections to the agent. */
class Connections {
  readonly #options: Pick<PassingServerOptions, "proxy" | "ways">;
  /** keyed by socket, or by session for HTTP/2, whose socket is a proxy object without events */
  readonly #known = new WeakMap<object, ClientConnection>();

  constructor(options: Pick<PassingServerOptions, "proxy" | "ways">) {
    this.#options = options;
  }

  has(line: Socket | Http2Session): boolean {
    return this.#known.has(line);
  }

  on(line: Socket | Http2Session, hangUp: () => void): ClientConnection {
    const known = this.#known.get(line);
    if (known) return known;
    const { proxy, ways } = this.#options;
    const upstream = new Upstream(ways, hangUp);
    line.once("close", () => upstream.close());
    const made = { proxy, upstream };
    this.#known.set(line, made);
    return made;
  }
}

function createAdmit({ host: boundHost, allowHosts = [], proxy }: PassingServerOptions): Admit {
  const isOurs = createHostCheck({ boundHost, allowed: allowHosts });
  return (written, host, headers) => {
    // Clients that treat us as a forward proxy send the absolute URL; its host then counts.
    const { local: path, authority = host } = parseRequestTarget(written ?? "/");
    if (!path.startsWith("/") && path !== "*") {
      proxy.notice("client", "not-http", "the target of a request is neither a path nor an address");
      return { status: 400, text: "The target of this request is neither a path nor an address." };
    }
    if (!isOurs(authority)) {
      proxy.notice(
        "client",
        "foreign-host",
        `Host: ${authority ?? "(none)"} is not a host name of this proxy (to allow it: --allow-host)`,
      );
      return { status: 421, text: "The Host header is not a host name of this proxy. Allow it with --allow-host." };
    }
    if (!isForeignPage(headers, authority, allowHosts)) return { path };
    const page = headers.origin === undefined ? "a web page of another site" : `the web page ${headers.origin}`;
    proxy.notice("client", "foreign-page", `rejected a request from ${page} (to allow its host: --allow-host)`);
    return {
      status: 403,
      text: "Web pages of other sites may not use this proxy. Allow a host with --allow-host.",
    };
  };
}

function createHttp1Side(proxy: Passing, admit: Admit, connections: Connections): Http1Server {
  const pass = (incoming: IncomingMessage, response: ServerResponse): void => {
    const target = admit(incoming.url, incoming.headers.host, incoming.headers);
    if ("status" in target) {
      incoming.resume();
      answer(response, target.status, target.text);
      return;
    }
    const { socket } = incoming;
    const connection = connections.on(socket, () => socket.destroySoon());
    passHttp1(incoming, target.path, response, connection);
  };
  const http1 = createHttp1({
    maxHeaderSize: headerBytes,
    requireHostHeader: false,
    // The agent receives every byte and decides about request timeouts.
    requestTimeout: 0,
    keepAliveTimeout: 0,
    insecureHTTPParser: false,
  });
  return http1
    .on("request", pass)
    .on("checkContinue", pass)
    .on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
      // The request itself reports errors inside it.
      if (error.code !== "ECONNRESET" && error.code !== "HPE_INVALID_EOF_STATE")
        proxy.notice(
          "client",
          "not-http",
          `the client sent bytes that are not HTTP/1.1 (${error.code ?? error.message})`,
        );
      else if (!connections.has(socket))
        proxy.notice("client", "half-a-request", "the connection ended inside a request head");
      if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      else socket.destroy();
    });
}

function createHttp2Side(
  proxy: Passing,
  admit: Admit,
  connections: Connections,
): { readonly http2: Http2Server; readonly sessions: ReadonlySet<Http2Session> } {
  const sessions = new Set<Http2Session>();
  const http2 = createHttp2({ maxHeaderListPairs: 256, settings: { maxHeaderListSize: headerBytes } });
  http2
    .on("session", (session) => {
      sessions.add(session);
      session.once("close", () => sessions.delete(session));
    })
    .on("sessionError", () => proxy.notice("client", "not-http", "the client sent bytes that are not HTTP/2"))
    .on("stream", (stream: ServerHttp2Stream, headers, flags: number, ...rest: unknown[]) => {
      // Node passes the ordered headers as a fourth argument, which its types lack.
      const [raw] = rest as [readonly string[]];
      const { session } = stream;
      if (!session) return;
      const target = admit(headers[":path"], headers[":authority"] ?? headers.host, headers);
      if ("status" in target)
        return void stream.on("error", () => {}).respond({ ":status": target.status }, { endStream: true });
      const connection = connections.on(session, () => session.close());
      passHttp2(stream, target.path, headers, flags, raw, connection);
    });
  return { http2, sessions };
}

function bind(front: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    front.once("error", reject);
    // The address of a TCP server is never a string, unlike that of a pipe.
    front.listen(port, host, () => resolve(front.address() as AddressInfo));
  });
}
