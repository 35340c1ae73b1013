import { BlockList, isIP, isIPv6 } from "node:net";
import { isLoopback } from "@assay/protocol";

/** The values of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. The caller reads the environment. */
export interface ProxySettings {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}

/** Returns the proxy for `url`, if any. */
export function proxyFor(url: URL, { httpProxy, httpsProxy, noProxy = "" }: ProxySettings): URL | undefined {
  const proxy = url.protocol === "https:" ? httpsProxy : httpProxy;
  // A proxy cannot reach our loopback; it would reach its own.
  if (!proxy || isLoopback(url.hostname) || isExempt(url, noProxy)) return undefined;
  // `proxy.corp:3128` without a scheme is common, and curl reads it as http.
  const parsed = new URL(proxy.includes("://") ? proxy : `http://${proxy}`);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") {
    throw new TypeError(`The proxy "${parsed.protocol}//${parsed.host}" is neither http nor https. Use an HTTP proxy.`);
  }
  return parsed;
}

/** Returns the `Proxy-Authorization` header for credentials in the proxy's URL. */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  if (!username) return undefined;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}

/** As in curl and Go: `*`, hosts with their subdomains, `host:port`, addresses and CIDR blocks. */
function isExempt(url: URL, noProxy: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === "*") return true;
      if (entry.includes("/")) return isIP(host) !== 0 && inBlock(host, entry);
      if (isIP(entry)) return entry === host;
      const [, name = "", entryPort] = /^\[?(.+?)\]?(?::(\d+))?$/.exec(entry) ?? [];
      const domain = name.replace(/^\*?\./, "");
      return (!entryPort || entryPort === port) && (host === domain || host.endsWith(`.${domain}`));
    });
}

function inBlock(host: string, block: string): boolean {
  const [address = "", prefix] = block.split("/");
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  const width = Number(prefix);
  // An invalid entry exempts nothing, as in curl.
  if (!isIP(address) || !Number.isInteger(width) || width < 0 || width > (family === "ipv6" ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(address, width, family);
  return list.check(host, isIPv6(host) ? "ipv6" : "ipv4");
}
