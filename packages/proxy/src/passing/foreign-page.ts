import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "@assay/protocol";

/**
 * Returns whether a web page of another site sent this request. A browser sends a page's requests from this machine, so
 * the page would use our connection to the agent and our client certificate. Pages of this machine, of the agent and of
 * hosts that the operator named are allowed. Programs other than browsers send neither `Origin` nor `Sec-Fetch-Site`.
 */
export function isForeignPage(
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
