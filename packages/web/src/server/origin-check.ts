import type { WireRequest } from "@assay/wire/server";

/**
 * Whether a request comes from our own page, or from no page at all. A browser says where a request comes from, and no
 * page can make it lie: another site, another port of this machine and a sandboxed frame are all somebody else.
 */
export function isOwnOrigin({ headers, host, secure }: Pick<WireRequest, "headers" | "host" | "secure">): boolean {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  // "none" is a typed address or a link from another program: it may read, and carries no cookie to act with.
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return origin === undefined || origin === `${secure ? "https" : "http"}://${host}`;
}
