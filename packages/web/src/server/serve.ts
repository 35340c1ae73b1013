import { jsonIn } from "@assay/protocol";
import { isLoopback } from "@assay/protocol/core";
import { icon, servedPage, servedPolicy } from "@assay/viewer";
import { createHostCheck, listen, WireError, type WireReply, type WireRequest } from "@assay/wire/server";
import { allRoutes } from "../api/index.ts";
import { ApiError } from "./api-error.ts";
import type { Lab } from "./lab.ts";
import { type ApiAnswer, type ApiRequest, type ApiRoute, matchRoute } from "./route.ts";
import { Session } from "./session.ts";

/** The headers of every response. */
const safeHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy": [...servedPolicy, "frame-ancestors 'none'"].join("; "),
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Frame-Options": "DENY",
};

/**
 * Returns true if a request comes from our own page, or from no page at all. The browser states the origin, and no page
 * can change that. Other sites, other ports of this machine and sandboxed frames are foreign.
 */
export function isOwnOrigin({ headers, host, secure }: Pick<WireRequest, "headers" | "host" | "secure">): boolean {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  // "none" is a typed address or a link from another program. It may read, but has no cookie for changes.
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return origin === undefined || origin === `${secure ? "https" : "http"}://${host}`;
}

interface PageFile {
  readonly type: string;
  readonly body: string;
}

/** The files of `assay ui`: the page and its icon. */
const pageFiles: ReadonlyMap<string, PageFile> = new Map([
  ["/", { type: "text/html; charset=utf-8", body: servedPage() }],
  ["/icon.svg", { type: "image/svg+xml", body: icon }],
]);

interface UiOptions {
  readonly host: string;
  /** 0 for any free port */
  readonly port: number;
  readonly lab: Lab;
  /** additional host names that requests may use, without port */
  readonly allowedHosts?: readonly string[];
  /** (default: a random token) */
  readonly token?: string;
  readonly onError?: (error: unknown) => void;
}

export interface UiServer {
  /** without the token */
  readonly url: string;
  readonly port: number;
  /** the address to open in a browser; anyone who has it can use the server */
  readonly link: string;
  readonly token: string;
  /** other machines can reach the server */
  readonly isExposed: boolean;
  close(): Promise<void>;
}

/** Serves the page and its API until it is closed. */
export async function serveUi(options: UiOptions): Promise<UiServer> {
  const { host, lab, allowedHosts = [], onError = () => {} } = options;
  const session = new Session(options.token);
  const isHost = createHostCheck({ boundHost: host, allowed: allowedHosts });
  const { routes, close } = allRoutes(lab, session);
  const server = await listen({
    host,
    port: options.port,
    onInternalError: onError,
    limits: { bodyBytes: 8 * 1024 * 1024, connections: 200, streams: 60 },
    async handler(request, reply) {
      if (!isHost(request.host))
        return refuse(
          reply,
          421,
          "This server does not accept this host name.",
          `Use ${host}, or start assay ui with --allow-host.`,
        );
      if (!isOwnOrigin(request)) return refuse(reply, 403, "Another page may not use this server.");
      if (!request.path.startsWith("/api/")) return sendPage(request, reply);
      await answerApi(routes, session, request, reply, onError);
    },
  });
  session.bindTo(server.port);
  return {
    url: server.url,
    port: server.port,
    link: `${server.url}/#token=${session.token}`,
    token: session.token,
    isExposed: !isLoopback(host),
    async close() {
      await close();
      await server.close(1_000);
      await lab.close();
    },
  };
}

/** The files of the page contain no user data, so they need no token. */
async function sendPage({ method, path }: WireRequest, reply: WireReply): Promise<void> {
  if (method !== "GET" && method !== "HEAD") return refuse(reply, 405, "The page accepts only GET and HEAD.");
  const file = pageFiles.get(path);
  if (!file) return refuse(reply, 404, `${path} does not exist.`, "The page is at /, its API at /api.");
  reply.send(200, { ...safeHeaders, "Content-Type": file.type, "Cache-Control": "no-cache" }, file.body);
}

async function answerApi(
  routes: readonly ApiRoute[],
  session: Session,
  request: WireRequest,
  reply: WireReply,
  onError: (error: unknown) => void,
): Promise<void> {
  const { method, path, query } = request;
  try {
    const isLogin = method === "POST" && path === "/api/session";
    const proof = session.proofOf(request);
    if (proof === "none" && !isLogin)
      throw new ApiError(401, "This server requires its token.", "Open the address that assay ui printed.");
    // Browsers send an origin with every request that changes something. A request with a cookie and no origin is not
    // from this page.
    if (proof === "cookie" && method !== "GET" && request.headers.origin === undefined)
      throw new ApiError(403, "Another page may not use this server.");
    const match = matchRoute(routes, method, path);
    if (match === undefined)
      throw new ApiError(
        404,
        `${path} does not exist.`,
        "The page “HTTP API” of the documentation lists the addresses.",
      );
    if (Array.isArray(match)) throw new ApiError(405, `${path} accepts ${match.join(", ")}, not ${method}.`);
    const asked: ApiRequest = {
      params: match.params,
      query: new URLSearchParams(query),
      json: () => jsonBody(request),
      signal: request.signal,
    };
    await send(await match.route.answer(asked), reply);
  } catch (error) {
    if (error instanceof ApiError) return refuse(reply, error.status, error.message, error.hint);
    if (error instanceof WireError) return refuse(reply, error.status, error.message);
    onError(error);
    refuse(reply, 500, "Internal error.", "See the terminal of assay ui for details.");
  }
}

async function send(answer: ApiAnswer, reply: WireReply): Promise<void> {
  const headers = { ...safeHeaders, "Cache-Control": "no-store" };
  switch (answer.kind) {
    case "json": {
      const cookie = answer.cookie === undefined ? {} : { "Set-Cookie": answer.cookie };
      return reply.send(
        answer.status,
        { ...headers, ...cookie, "Content-Type": "application/json" },
        JSON.stringify(answer.value),
      );
    }
    case "download": {
      // The name is valid on every system. The media type does not matter, because the browser saves the file.
      const name = answer.name.replace(/[^\w.-]+/g, "-");
      const disposition = { "Content-Disposition": `attachment; filename="${name}"` };
      return reply.send(200, { ...headers, ...disposition, "Content-Type": answer.type }, answer.body);
    }
    case "events": {
      const stream = reply.events(headers);
      for await (const event of answer.events) {
        if (stream.closed) return;
        await stream.send(JSON.stringify(event));
      }
      stream.end();
    }
  }
}

async function jsonBody(request: WireRequest): Promise<unknown> {
  const value = jsonIn(await request.body());
  if (typeof value === "object" && value !== null) return value;
  throw new ApiError(400, "The body is not a JSON object.");
}

const refuse = (reply: WireReply, status: number, message: string, hint?: string): void =>
  reply.send(
    status,
    { ...safeHeaders, "Cache-Control": "no-store", "Content-Type": "application/json" },
    JSON.stringify({ error: message, ...(hint !== undefined && { hint }) }),
  );
