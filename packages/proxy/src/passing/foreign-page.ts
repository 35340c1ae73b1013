import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "@assay/protocol";

/**
 * Tells whether a web page of another site sends this request. A browser sends what a page asks for from this machine, so such a
 * page would use our way to the agent and our client certificate. Pages of this machine, of the agent itself and of hosts that the
 * operator named may; programs that are no browsers say neither `Origin` nor `Sec-Fetch-Site`.
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
