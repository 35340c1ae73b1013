import type { ResponseHead } from "../recording/exchange.ts";
import { isHarmless } from "./bound-credentials.ts";
import { headerOf } from "./http-head.ts";
import type { RequestSpec } from "./request-spec.ts";

/**
 * Returns the request for a redirect (RFC 9110 §15.4), or undefined if it is not followed. Headers and body for one
 * host go to another only if `mayGoTo` allows both.
 */
export function redirected(
  spec: RequestSpec,
  { status, headers }: ResponseHead,
  mayGoTo: (url: string) => boolean = () => false,
): RequestSpec | undefined {
  const location = headerOf(headers, "location");
  if (![301, 302, 303, 307, 308].includes(status) || !location || !URL.canParse(location, spec.url)) return undefined;
  const target = new URL(location, spec.url);
  if (target.protocol !== "http:" && target.protocol !== "https:") return undefined;

  const becomesGet = status === 303 ? spec.method !== "HEAD" : status < 303 && spec.method === "POST";
  const isFamiliar = target.origin === new URL(spec.url).origin || (mayGoTo(spec.url) && mayGoTo(target.href));
  // A body was written for its host: it may contain a client secret, like any header.
  if (!isFamiliar && !becomesGet && spec.body) return undefined;

  const kept = (spec.headers ?? []).filter(([name]) => {
    const key = name.toLowerCase();
    return (isFamiliar || isHarmless(key)) && !(becomesGet && key.startsWith("content-"));
  });
  return {
    method: becomesGet ? "GET" : spec.method,
    url: target.href,
    headers: kept,
    ...(!becomesGet && spec.body && { body: spec.body }),
    ...(isFamiliar && spec.query && { query: spec.query }),
    followRedirects: (spec.followRedirects ?? 0) - 1,
  };
}
