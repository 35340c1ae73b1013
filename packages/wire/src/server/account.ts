import { ipv6Groups } from "@assay/protocol/core";

/**
 * Returns the account of a client that is known only by its address. An IPv6 host can use any address in its network,
 * so a /64 network is one account.
 */
export function accountOf(address: string): string {
  if (!address.includes(":")) return address;
  const groups = ipv6Groups(address);
  if (!groups) return address;
  const isIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isIPv4) return address.slice(address.lastIndexOf(":") + 1);
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}
