import { isLoopback } from "@assay/protocol/core";

type Headers = Readonly<Record<string, string>>;

const requestHeaders = [
  "A2A-Version",
  "A2A-Extensions",
  "Authorization",
  "Content-Type",
  "Last-Event-ID",
  "If-None-Match",
  "X-API-Key",
  "X-Request-Id",
  "traceparent",
  "tracestate",
];
const exposedHeaders = ["A2A-Version", "A2A-Extensions", "ETag", "Retry-After", "WWW-Authenticate", "X-Request-Id"];

/** Cards may be read by any page. */
export const cardCors: Headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposedHeaders.join(", "),
};

/**
 * May a page of this origin talk to agents? Loopback pages and listed ones may. `null` may not, even when listed:
 * every sandboxed frame and every local file has that origin.
 */
function mayTalkToAgents(origin: string, listed: readonly string[]): boolean {
  if (origin === "null" || !URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  const local = (protocol === "http:" || protocol === "https:") && isLoopback(hostname);
  return local || listed.includes(origin);
}

/** The headers of every answer of an agent, asked by a page or not: caches must know that it depends on the origin. */
export function agentCors(origin: string | undefined, listed: readonly string[]): Headers {
  const vary = { Vary: "Origin" };
  if (origin === undefined || !mayTalkToAgents(origin, listed)) return vary;
  return {
    ...vary,
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": exposedHeaders.join(", "),
  };
}

/** The headers of a 204 to OPTIONS, given those of the resource; to a page that may not, they grant nothing. */
export function preflight(resource: Headers, methods: readonly string[]): Headers {
  if (resource["Access-Control-Allow-Origin"] === undefined) return resource;
  return {
    ...resource,
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": requestHeaders.join(", "),
    "Access-Control-Max-Age": "600",
  };
}
