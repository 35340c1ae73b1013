import {
  createServer as createHttp1,
  type Server as Http1Server,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer as createHttp2, type Http2Server, type Http2Session, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createHostCheck, looksLikeHttp2, parseRequestTarget, type WayOptions } from "@assay/wire/passing";
import type { ClientConnection, Passing } from "./client-connection.ts";
import { isForeignPage } from "./foreign-page.ts";
import { answer, passHttp1 } from "./http1.ts";
import { passHttp2 } from "./http2.ts";
import { Upstream } from "./upstream.ts";

export interface PassingServerOptions {
  readonly host: string;
  /** 0: any free one */
  readonly port: number;
  /** further names by which clients may call us */
  readonly allowHosts?: readonly string[];
  readonly ways: WayOptions;
  readonly proxy: Passing;
}

export interface PassingServer {
  /** `127.0.0.1:4050` */
  readonly authority: string;
  /** Ends everything that is under way. */
  close(): Promise<void>;
}

interface Refusal {
  readonly status: number;
  readonly text: string;
}

const headerBytes = 64 * 1024;
/** How long a connection may say nothing before it is taken for one of HTTP/1.1. */
const prefaceMs = 5_000;

/** Returns the path that a request asks for, or why the proxy refuses it; a refusal is noted. */
type Admit = (
  written: string | undefined,
  host: string | undefined,
  headers: IncomingHttpHeaders,
) => { readonly path: string } | Refusal;

/** Listens on one port for HTTP/1.1 and for HTTP/2 without TLS, and passes everything on. */
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
      // HTTP/2 has no use for half a connection: a client that closes its side is gone.
      socket.allowHalfOpen = false;
      http2.emit("connection", socket);
    });
  });
  const address = await bind(front, host, port);
  return {
    authority: `${reachable(address)}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        front.close(() => resolve());
        for (const session of sessions) session.destroy();
        for (const socket of sockets) socket.destroy();
        http1.close();
      }),
  };
}

/** The connections of clients, each with its own way to the agent. */
class Connections {
  readonly #options: Pick<PassingServerOptions, "proxy" | "ways">;
  /** by socket, or by session: that of HTTP/2 has a stand-in for its socket that nothing may listen to */
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
    // Clients that take us for a forward proxy write the whole address, and then the host in it counts.
    const { local: path, authority = host } = parseRequestTarget(written ?? "/");
    if (!path.startsWith("/") && path !== "*") {
      proxy.notice("client", "not-http", "the target of a request is neither a path nor an address");
      return { status: 400, text: "The target of this request is neither a path nor an address." };
    }
    if (!isOurs(authority)) {
      proxy.notice("client", "foreign-host", `Host: ${authority ?? "(none)"} is none of ours (--allow-host names one)`);
      return { status: 421, text: "This Host is none of ours; --allow-host names one that is." };
    }
    if (!isForeignPage(headers, authority, allowHosts)) return { path };
    const page = headers.origin === undefined ? "a web page of another site" : `the web page ${headers.origin}`;
    proxy.notice("client", "foreign-page", `${page} sent a request, which was refused (--allow-host names its host)`);
    return {
      status: 403,
      text: "Web pages of other sites may not use this proxy; --allow-host names a host that may.",
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
    // When a request takes too long is for the agent to say, which hears every byte of it.
    requestTimeout: 0,
    keepAliveTimeout: 0,
    insecureHTTPParser: false,
  });
  return http1
    .on("request", pass)
    .on("checkContinue", pass)
    .on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
      // What breaks within a request is told by the request.
      if (error.code !== "ECONNRESET" && error.code !== "HPE_INVALID_EOF_STATE")
        proxy.notice("client", "not-http", `what came is no request of HTTP/1.1 (${error.code ?? error.message})`);
      else if (!connections.has(socket))
        proxy.notice("client", "half-a-request", "the connection ended within the head of a request");
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
    .on("sessionError", () => proxy.notice("client", "not-http", "what came is no HTTP/2"))
    .on("stream", (stream: ServerHttp2Stream, headers, flags: number, ...rest: unknown[]) => {
      // Node hands the fields in order as a fourth argument, which its types do not know.
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
    // A TCP server's address is never the string that a pipe's would be.
    front.listen(port, host, () => resolve(front.address() as AddressInfo));
  });
}

function reachable({ address, family }: AddressInfo): string {
  if (address === "0.0.0.0") return "127.0.0.1";
  if (address === "::") return "[::1]";
  return family === "IPv6" ? `[${address}]` : address;
}
