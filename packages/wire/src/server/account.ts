import { ipv6Groups } from "@assay/protocol/core";

/**
 * Whose account a client is on that is known by its address alone. A host of IPv6 has as many addresses as it likes
 * within its network: they are one account.
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
