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

/** Any page may read cards. */
export const cardCors: Headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposedHeaders.join(", "),
};

/**
 * Returns true if a page of this origin may call agents. Loopback pages and listed ones may. `null` may not, even if
 * listed, because every sandboxed frame and local file has that origin.
 */
function mayTalkToAgents(origin: string, listed: readonly string[]): boolean {
  if (origin === "null" || !URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  const local = (protocol === "http:" || protocol === "https:") && isLoopback(hostname);
  return local || listed.includes(origin);
}

/** Returns the headers of every agent response. They include Vary even without an origin, so caches know about it. */
export function agentCors(origin: string | undefined, listed: readonly string[]): Headers {
  const vary = { Vary: "Origin" };
  if (origin === undefined || !mayTalkToAgents(origin, listed)) return vary;
  return {
    ...vary,
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": exposedHeaders.join(", "),
  };
}

/** Returns the headers of a 204 to OPTIONS. Without permission they grant nothing. */
export function preflight(resource: Headers, methods: readonly string[]): Headers {
  if (resource["Access-Control-Allow-Origin"] === undefined) return resource;
  return {
    ...resource,
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": requestHeaders.join(", "),
    "Access-Control-Max-Age": "600",
  };
}
