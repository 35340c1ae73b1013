import { A2AError } from "@assay/protocol";
import { agentCors, type Handler, preflight, type WireReply, type WireRequest } from "@assay/wire/server";
import type { CardDesk } from "./cards.ts";
import type { AgentHost } from "./host.ts";
import { indexPage } from "./index-page.ts";
import { serveJsonRpc } from "./jsonrpc.ts";
import type { Metrics } from "./metrics.ts";
import { methodNotAllowed, sendRestError, serveRest } from "./rest.ts";
import { Visit } from "./visit.ts";

/** An agent with its place on the site. */
export interface Stand {
  readonly host: AgentHost;
  readonly cards: CardDesk;
}

export interface Site {
  /** by first path segment */
  readonly stands: ReadonlyMap<string, Stand>;
  /** whose card stands at the root, and who answers there */
  readonly root: Stand;
  readonly jwks: () => Promise<string>;
  readonly metrics: Metrics;
  readonly origins: readonly string[];
  readonly publicUrl: string | undefined;
  readonly hostAllowed: (host: string) => boolean;
  readonly isReady: () => boolean;
  readonly report: (error: unknown) => void;
}

const wellKnown = "/.well-known/agent-card.json";
const noHeaders = {};

/**
 * Everything on one port: `POST <agent>` is JSON-RPC, what lies below `<agent>/` is HTTP+JSON, cards are at
 * the well-known path below each agent and at the root. Whatever fails here fails in the shape of HTTP+JSON.
 */
export function routeSite(site: Site): Handler {
  return (request, reply) => {
    if (!site.hostAllowed(request.host)) {
      const message = "This server does not answer to that Host; start it with --public-url or --allow-host";
      return sendRestError(new A2AError("MisdirectedRequest", message), reply, noHeaders);
    }
    const { stand, path } = locate(site, request.path);
    if (path === "" || path === "/") {
      if (request.method === "POST")
        return serveJsonRpc(stand.host, request, reply, visitOf(site, stand, "JSONRPC", request));
      return serveDoor(site, stand, request, reply);
    }
    if (path === wellKnown) return serveCard(site, stand, request, reply);
    if (stand === site.root && request.path === path) {
      const page = pages[path];
      if (page) return servePage(page, site, request, reply);
    }
    if (request.method === "OPTIONS")
      return reply.send(204, preflight(corsOf(site, request), ["GET", "POST", "DELETE"]), "");
    return serveRest(stand.host, path, request, reply, visitOf(site, stand, "HTTP+JSON", request));
  };
}

/** The agent a path belongs to, and what is left of the path below it. */
function locate(site: Site, path: string): { stand: Stand; path: string } {
  const end = path.indexOf("/", 1);
  const stand = site.stands.get(end < 0 ? path.slice(1) : path.slice(1, end));
  if (!stand) return { stand: site.root, path };
  return { stand, path: end < 0 ? "" : path.slice(end) };
}

const corsOf = (site: Site, request: WireRequest) => agentCors(request.headers.origin, site.origins);

const baseUrlOf = (site: Pick<Site, "publicUrl">, request: WireRequest): string =>
  site.publicUrl ?? `${request.secure ? "https" : "http"}://${request.host}`;

function visitOf(site: Site, stand: Stand, binding: string, request: WireRequest): Visit {
  const headers = request.headers.origin === undefined ? noHeaders : corsOf(site, request);
  return new Visit(stand.host.definition.path, binding, baseUrlOf(site, request), headers, site);
}

/** The agent's own path, asked for with anything but POST. */
function serveDoor(site: Site, stand: Stand, request: WireRequest, reply: WireReply): void | Promise<void> {
  const { method, headers } = request;
  if (method === "OPTIONS") return reply.send(204, preflight(corsOf(site, request), ["GET", "POST"]), "");
  if (method !== "GET" && method !== "HEAD") {
    return sendRestError(methodNotAllowed(method, ["GET", "POST"]), reply, corsOf(site, request));
  }
  if (stand === site.root && request.path === "/" && headers.accept?.includes("text/html")) {
    const definitions = [...site.stands.values()].map(({ host }) => host.definition);
    const page = indexPage(definitions, baseUrlOf(site, request));
    return reply.send(
      200,
      { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", Vary: "Accept" },
      page,
    );
  }
  return stand.cards.serve(request, reply, baseUrlOf(site, request));
}

function serveCard(site: Site, stand: Stand, request: WireRequest, reply: WireReply): void | Promise<void> {
  if (request.method === "GET" || request.method === "HEAD")
    return stand.cards.serve(request, reply, baseUrlOf(site, request));
  if (request.method === "OPTIONS")
    return reply.send(204, preflight({ "Access-Control-Allow-Origin": "*" }, ["GET"]), "");
  return sendRestError(methodNotAllowed(request.method, ["GET"]), reply, noHeaders);
}

interface Page {
  readonly type: string;
  print(site: Site): { status: number; body: string } | Promise<{ status: number; body: string }>;
}

/** What operators and verifiers read at the root. */
const pages: Record<string, Page> = {
  "/health": { type: "application/json", print: () => ({ status: 200, body: '{"status":"ok"}' }) },
  "/ready": {
    type: "application/json",
    print: (site) =>
      site.isReady() ? { status: 200, body: '{"ready":true}' } : { status: 503, body: '{"ready":false}' },
  },
  "/metrics": { type: "text/plain; version=0.0.4", print: (site) => ({ status: 200, body: site.metrics.print() }) },
  "/.well-known/jwks.json": {
    type: "application/json",
    print: async (site) => ({ status: 200, body: await site.jwks() }),
  },
};

async function servePage(page: Page, site: Site, request: WireRequest, reply: WireReply): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return sendRestError(methodNotAllowed(request.method, ["GET"]), reply, noHeaders);
  }
  const { status, body } = await page.print(site);
  reply.send(status, { "Content-Type": page.type, "Cache-Control": "no-store" }, body);
}
