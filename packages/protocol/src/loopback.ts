import { ipv6Groups } from "./ipv6.ts";

/**
 * Returns true if a host is this machine: a name or address without a port, as in `URL.hostname`, a Host header or a
 * socket. Accepts any case, with or without IPv6 brackets and a trailing dot.
 */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  // RFC 6761 §6.3: names that end in `.localhost` resolve to loopback without DNS.
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  const address = name.replace(/^\[(.*)\]$/, "$1");
  return ipv4.test(address) || isLoopbackIpv6(address);
}

const ipv4 = /^127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

function isLoopbackIpv6(address: string): boolean {
  const groups = ipv6Groups(address);
  if (!groups?.slice(0, 5).every((group) => group === 0)) return false;
  const [mapped, high = 0, low] = groups.slice(5);
  return (mapped === 0 && high === 0 && low === 1) || (mapped === 0xffff && high >> 8 === 127);
}
