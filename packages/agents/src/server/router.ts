import { A2AError, type DialectVersion } from "@assay/protocol/core";
import { agentCors, type Handler, preflight, type WireReply, type WireRequest } from "@assay/wire/server";
import type { RequestHead } from "../definition/admission.ts";
import type { AgentDefinition } from "../definition/agent.ts";
import { pageHeaders } from "../identity/html.ts";
import type { OidcMount } from "../identity/oidc/mount.ts";
import { isLogin } from "../identity/places.ts";
import type { Metrics } from "../operating/metrics.ts";
import type { Readiness } from "../operating/readiness.ts";
import type { RequestMeter } from "../operating/request-meter.ts";
import type { DeadLetters } from "../store/dead-letter.ts";
import { isAway } from "../store/store.ts";
import { versionOf } from "./admission.ts";
import type { AgentDirectory } from "./agent-directory.ts";
import { authorisationPath } from "./authorisation-url.ts";
import { deadLettersPath, serveDeadLetters } from "./dead-letters.ts";
import { isOlderLoaded, loadOlder, nativeVersion } from "./dialects.ts";
import { asProtocolError } from "./failure.ts";
import { indexPage } from "./index-page.ts";
import { JsonRpcBinding } from "./jsonrpc.ts";
import { RequestContext } from "./request-context.ts";
import { methodNotAllowed, RestBinding, sendRestError } from "./rest.ts";
import { serveRequest } from "./serve.ts";
import type { ServedAgent } from "./served-agent.ts";

/** The path of the extended card in 0.2, below the directory of the card's `url` (`{url}/../agent/…`). */
const extendedCardPathV02 = "/agent/authenticatedExtendedCard";

/**
 * Returns true for an HTTP+JSON request of 0.3: every request to a native 0.3 agent. An agent that also
 * supports 1.0 needs a path that starts with `/v1` and no other requested version.
 */
function isRestV03({ dialects = ["1.0"] }: AgentDefinition, path: string, head: RequestHead): boolean {
  if (dialects[0] === "0.3") return true;
  return dialects.includes("0.3") && path.startsWith("/v1/") && versionOf(head) === "0.3";
}

/**
 * Returns true if a request may be in a version before 1.0: its agent is older, or supports several versions
 * and the request does not ask for 1.0.
 */
const mayBeOlder = (agent: AgentDefinition, head: RequestHead): boolean =>
  nativeVersion(agent) !== "1.0" || ((agent.dialects?.length ?? 1) > 1 && versionOf(head) !== "1.0");

export interface Site {
  readonly directory: AgentDirectory;
  readonly jwks: () => Promise<string>;
  readonly oidc: OidcMount;
  readonly metrics: Metrics;
  readonly requests: RequestMeter;
  readonly deadLetters: DeadLetters;
  readonly origins: readonly string[];
  readonly publicUrl: string | undefined;
  readonly hostAllowed: (host: string) => boolean;
  readonly readiness: Readiness;
  /** /metrics is served on a separate port, and not here */
  readonly hasOperationsPort: boolean;
  readonly report: (error: unknown) => void;
}

/** The card paths of each dialect below the agent. */
const cardNames: Record<DialectVersion, readonly string[]> = {
  "1.0": ["/.well-known/agent-card.json"],
  "0.3": ["/.well-known/agent-card.json"],
  "0.2": ["/.well-known/agent.json", "/.well-known/agent-card.json"],
  "0.1": ["/.well-known/agent.json"],
};

const noHeaders = {};

/**
 * Routes everything on one port: `POST <agent>` is JSON-RPC, paths below `<agent>/` are HTTP+JSON. Cards are
 * at the well-known path below each agent and at the root. Errors of the router have the format of HTTP+JSON.
 */
export function routeSite(site: Site): Handler {
  return (request, reply) => {
    const working = serve(request, reply);
    return working instanceof Promise ? working.catch((error: unknown) => withoutStore(error, reply)) : working;
  };

  /** Requests outside the protocol need the store too: it holds the keys of cards and tokens. */
  function withoutStore(error: unknown, reply: WireReply): void {
    if (!isAway(error) || reply.raw.headersSent) throw error;
    sendRestError(asProtocolError(error, site.report), reply, noHeaders);
  }

  function serve(request: WireRequest, reply: WireReply): void | Promise<void> {
    if (!site.hostAllowed(request.host)) return misdirected(reply);
    // A browser that received it from localhost would require TLS for every server on this machine.
    if (request.secure && !/^localhost(:|$)/i.test(request.host))
      reply.raw.setHeader("Strict-Transport-Security", "max-age=31536000");
    if (site.directory.awaits(request.path)) return site.directory.families().then(() => route(request, reply));
    if (isBelow(authorisationPath, request.path)) return authorisationOf(request, reply);
    if (isLogin(request.path)) return site.oidc(request, reply, baseUrlOf(site, request));
    if (isBelow("/gallery", request.path)) return galleryOf(request, reply);
    return route(request, reply);
  }

  /** Loaded with its first request. */
  async function authorisationOf(request: WireRequest, reply: WireReply): Promise<void> {
    const { serveAuthorisation } = await import("./authorisation-page.ts");
    return serveAuthorisation(site, request, reply, baseUrlOf(site, request));
  }

  /** Loaded with its first request. */
  async function galleryOf(request: WireRequest, reply: WireReply): Promise<void> {
    const { serveGallery } = await import("../gallery/index.ts");
    return serveGallery(request, reply, { origin: baseUrlOf(site, request), agent: route });
  }

  function route(request: WireRequest, reply: WireReply, at = request.path): void | Promise<void> {
    const { host, path } = site.directory.locate(at);
    if (!isOlderLoaded() && mayBeOlder(host.definition, request))
      return loadOlder().then(() => route(request, reply, at));
    const changed = host.definition.layers?.http;
    if (!changed) return serveAgent(site, host, path, request, reply);
    return changed((asked, answer) => serveAgent(site, host, path, asked, answer))(request, reply);
  }
}

const misdirected = (reply: WireReply): void => {
  const message = "This server does not accept that Host header. Start it with --public-url or --allow-host";
  sendRestError(new A2AError("MisdirectedRequest", message), reply, noHeaders);
};

function serveAgent(
  site: Site,
  host: ServedAgent,
  path: string,
  request: WireRequest,
  reply: WireReply,
): void | Promise<void> {
  const { definition } = host;
  const native = nativeVersion(definition);
  // Early 0.1 agents had a separate address for streams, which some clients still use.
  const isOwnPath = path === "" || path === "/" || (native === "0.1" && path === "/subscribe");
  if (isOwnPath) {
    if (request.method !== "POST") return serveOwnPath(site, host, request, reply);
    return serveRequest(new JsonRpcBinding(contextOf(site, host, "JSONRPC", request), request, reply));
  }
  if (cardNames[native].includes(path)) return serveCard(site, host, request, reply);
  if (host === site.directory.root && request.path === path) {
    const page = pages[path] ?? (path === "/metrics" && site.hasOperationsPort ? undefined : operatorPages[path]);
    if (page) return servePage(page, site, request, reply);
  }
  if (request.method === "OPTIONS") {
    return reply.send(204, preflight(corsOf(site, request), ["GET", "POST", "DELETE"]), "");
  }
  const context = contextOf(site, host, "HTTP+JSON", request);
  if (path === deadLettersPath && definition.push) return serveDeadLetters(context, site.deadLetters, request, reply);
  if (native === "0.2" && path === extendedCardPathV02 && definition.extended) {
    return loadOlder().then((older) => serveRequest(new older.ExtendedCardV02Binding(context, request, reply, path)));
  }
  if (isRestV03(definition, path, request)) {
    return loadOlder().then((older) => serveRequest(new older.RestV03Binding(context, request, reply, path)));
  }
  const below = path.startsWith("/v1/") ? path.slice(3) : path;
  return serveRequest(new RestBinding(context, request, reply, below));
}

const isBelow = (place: string, path: string): boolean => path === place || path.startsWith(`${place}/`);

const corsOf = (site: Site, request: WireRequest) => agentCors(request.headers.origin, site.origins);

const baseUrlOf = (site: Pick<Site, "publicUrl">, request: WireRequest): string =>
  site.publicUrl ?? `${request.secure ? "https" : "http"}://${request.host}`;

function contextOf(
  site: Site,
  host: ServedAgent,
  binding: RequestContext["binding"],
  request: WireRequest,
): RequestContext {
  const headers = request.headers.origin === undefined ? noHeaders : corsOf(site, request);
  return new RequestContext(host, binding, baseUrlOf(site, request), headers, site);
}

/** Serves the agent's own path for methods other than POST. */
function serveOwnPath(site: Site, host: ServedAgent, request: WireRequest, reply: WireReply): void | Promise<void> {
  const { method, headers } = request;
  if (method === "OPTIONS") return reply.send(204, preflight(corsOf(site, request), ["GET", "POST"]), "");
  if (method !== "GET" && method !== "HEAD") {
    return sendRestError(methodNotAllowed(method, ["GET", "POST"]), reply, corsOf(site, request));
  }
  if (host === site.directory.root && request.path === "/" && headers.accept?.includes("text/html")) {
    return serveIndex(site, request, reply);
  }
  return giveCard(site, host, request, reply);
}

async function serveIndex(site: Site, request: WireRequest, reply: WireReply): Promise<void> {
  const definitions = [...site.directory].map(({ definition }) => definition).filter(({ path }) => !/[/@]/.test(path));
  const page = indexPage(definitions, await site.directory.families(), baseUrlOf(site, request));
  reply.send(200, { ...pageHeaders, Vary: "Accept" }, page);
}

function serveCard(site: Site, host: ServedAgent, request: WireRequest, reply: WireReply): void | Promise<void> {
  if (request.method === "GET" || request.method === "HEAD") return giveCard(site, host, request, reply);
  if (request.method === "OPTIONS")
    return reply.send(204, preflight({ "Access-Control-Allow-Origin": "*" }, ["GET"]), "");
  return sendRestError(methodNotAllowed(request.method, ["GET"]), reply, noHeaders);
}

/** Serves a card. It is not an A2A operation, but is counted like one. */
async function giveCard(site: Site, host: ServedAgent, request: WireRequest, reply: WireReply): Promise<void> {
  const began = performance.now();
  await host.cards.serve(request, reply, baseUrlOf(site, request));
  site.requests.add(host.definition.path, "HTTP", "card", "ok", (performance.now() - began) / 1_000);
}

interface Page<S = Site> {
  readonly type: string;
  print(site: S): { status: number; body: string } | Promise<{ status: number; body: string }>;
}

/** Lists the members of a family of agents, for people and scripts. */
const familyPage = (family: "mutants" | "variants"): Page => ({
  type: "application/json",
  print: async (site) => {
    const members = (await site.directory.families())[family];
    const body = members.map(({ id, base, does }) => ({ id, path: `/${family}/${id}`, base: `/${base}`, does }));
    return { status: 200, body: JSON.stringify(body, null, 2) };
  },
});

/** Pages at the root for people, scripts and verifiers. */
const pages: Record<string, Page> = {
  "/mutants": familyPage("mutants"),
  "/variants": familyPage("variants"),
  "/.well-known/jwks.json": {
    type: "application/json",
    print: async (site) => ({ status: 200, body: await site.jwks() }),
  },
};

type OperatorSite = Pick<Site, "readiness" | "metrics">;

/** Pages for operators and load balancers, at the root or on a separate port. */
const operatorPages: Record<string, Page<OperatorSite>> = {
  "/health": { type: "application/json", print: () => ({ status: 200, body: '{"status":"ok"}' }) },
  "/ready": {
    type: "application/json",
    print: async (site) => {
      const reason = await site.readiness.trouble();
      return reason === undefined
        ? { status: 200, body: '{"ready":true}' }
        : { status: 503, body: JSON.stringify({ ready: false, reason }) };
    },
  },
  "/metrics": {
    type: "text/plain; version=0.0.4; charset=utf-8",
    print: async (site) => ({ status: 200, body: await site.metrics.print() }),
  },
};

/** Routes the operators' port: only their pages, and no agent. */
export const routeOperations =
  (site: OperatorSite, hostAllowed: Site["hostAllowed"]): Handler =>
  (request, reply) => {
    if (!hostAllowed(request.host)) return misdirected(reply);
    const page = operatorPages[request.path];
    if (page) return servePage(page, site, request, reply);
    const message = `Not found. Available: ${Object.keys(operatorPages).join(", ")}`;
    return sendRestError(new A2AError("MethodNotFound", message), reply, noHeaders);
  };

async function servePage<S>(page: Page<S>, site: S, request: WireRequest, reply: WireReply): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return sendRestError(methodNotAllowed(request.method, ["GET"]), reply, noHeaders);
  }
  const { status, body } = await page.print(site);
  reply.send(status, { "Content-Type": page.type, "Cache-Control": "no-store" }, body);
}
