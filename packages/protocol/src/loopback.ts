import { ipv6Groups } from "./ipv6.ts";

/**
 * Whether a host cannot lead off this machine: a name or an address without a port, as `URL.hostname`, a Host header or
 * a socket writes it (any case, with or without the brackets of IPv6 and the dot of the root).
 */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  // RFC 6761 §6.3: what ends in `.localhost` resolves to loopback without asking DNS.
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
