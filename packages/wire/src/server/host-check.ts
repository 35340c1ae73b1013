import { type AddressInfo, isIP } from "node:net";
import { isLoopback } from "@assay/protocol/core";

export interface HostCheckOptions {
  /** The address or name that the server listens on. */
  readonly boundHost: string;
  readonly publicUrl?: string;
  /** Further names, without port. */
  readonly allowed?: readonly string[];
}

/**
 * Protects against DNS rebinding: a web page whose name was pointed at us still sends that name as Host.
 *
 * Loopback names and names from the user always pass. If the server listens beyond loopback, IP literals pass too,
 * because they cannot be rebound. Ports do not matter: a forwarded port (ssh -L, docker -p) has another number.
 */
export function createHostCheck({ boundHost, publicUrl, allowed = [] }: HostCheckOptions) {
  const named = new Set([boundHost, ...allowed].map(normalise));
  if (publicUrl !== undefined) named.add(normalise(new URL(publicUrl).hostname));
  const reachable = !isLoopback(boundHost);

  const isAllowed = (hostHeader: string | undefined): boolean => {
    const authority = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+)(?::\d*)?$/i.exec(hostHeader ?? "");
    if (!authority?.[1]) return false;
    const host = normalise(authority[1]);
    return isLoopback(host) || named.has(host) || (reachable && isIP(host) !== 0);
  };

  /** Most clients use one name. */
  let last: string | undefined;
  return (hostHeader: string | undefined): boolean => {
    if (hostHeader !== undefined && hostHeader === last) return true;
    if (!isAllowed(hostHeader)) return false;
    last = hostHeader;
    return true;
  };
}

/** Lower case, without brackets and trailing dot. */
const normalise = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");

/** Returns the host under which clients on this machine reach a listening address. */
export function reachableHost({ address, family }: AddressInfo): string {
  if (address === "0.0.0.0") return "127.0.0.1";
  if (address === "::") return "[::1]";
  return family === "IPv6" ? `[${address}]` : address;
}
