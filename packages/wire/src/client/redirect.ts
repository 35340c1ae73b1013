import type { ResponseHead } from "../recording/exchange.ts";
import { isHarmless } from "./bound-credentials.ts";
import { headerOf } from "./http-head.ts";
import type { RequestSpec } from "./request-spec.ts";

/**
 * The request that a redirect asks for (RFC 9110 §15.4), or nothing when it asks for none that we would make. What was
 * written for one host goes to another only where `mayGoTo` says that both may see it.
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
  // A body was written for the host it was sent to: it may hold a client secret as well as any header.
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
