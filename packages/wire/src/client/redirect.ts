import type { ResponseHead } from "../recording/exchange.ts";
import { headerOf } from "./http-head.ts";
import type { RequestSpec } from "./request-spec.ts";

/**
 * What may be told to a host the request was not meant for. A list of the harmless, because it is impossible to list every
 * header that may hold a key.
 */
const harmless = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "a2a-extensions",
  "a2a-version",
  "cache-control",
  "user-agent",
  "x-a2a-extensions",
]);

/** The request that a redirect asks for (RFC 9110 §15.4), or nothing when it asks for none that we would make. */
export function redirected(spec: RequestSpec, { status, headers }: ResponseHead): RequestSpec | undefined {
  const location = headerOf(headers, "location");
  if (![301, 302, 303, 307, 308].includes(status) || !location || !URL.canParse(location, spec.url)) return undefined;
  const target = new URL(location, spec.url);
  if (target.protocol !== "http:" && target.protocol !== "https:") return undefined;

  const becomesGet = status === 303 ? spec.method !== "HEAD" : status < 303 && spec.method === "POST";
  const sameOrigin = target.origin === new URL(spec.url).origin;
  // A body was written for the host it was sent to: it may hold a client secret as well as any header.
  if (!sameOrigin && !becomesGet && spec.body) return undefined;

  const kept = (spec.headers ?? []).filter(([name]) => {
    const key = name.toLowerCase();
    return (sameOrigin || harmless.has(key)) && !(becomesGet && key.startsWith("content-"));
  });
  return {
    method: becomesGet ? "GET" : spec.method,
    url: target.href,
    headers: kept,
    ...(!becomesGet && spec.body && { body: spec.body }),
    followRedirects: (spec.followRedirects ?? 0) - 1,
  };
}
