import { BlockList, isIP, isIPv6 } from "node:net";
import { ipv6Groups } from "@assay/protocol/core";

/** Returns true if a text is a URL that HTTP can send to. */
export const isHttpAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/**
 * Returns one spelling per host. The URL parser already knows that 0x7f.1, 2130706433 and 127.0.0.1 are the same
 * address; this also removes a trailing dot and IPv6 brackets. A port is ignored.
 */
export function canonicalHost(host: string): string {
  const bare = host.replace(/^\[|\]$/g, "");
  const authority = isIPv6(bare) ? `[${bare.replace(/%.*$/, "")}]` : host;
  if (!URL.canParse(`http://${authority}`)) return host.toLowerCase();
  const { hostname } = new URL(`http://${authority}`);
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/**
 * Names of this machine that count as one host, because samples print one and their cards another. Other addresses of
 * 127.0.0.0/8 may be other servers.
 */
const ownNames: readonly string[] = ["localhost", "127.0.0.1", "::1"];

/** Returns the same key for all names of a host. */
export function hostKey(host: string): string {
  const name = canonicalHost(host);
  return ownNames.includes(name) ? "localhost" : name;
}

/** Returns true if two addresses have the same host, and with `port` also the same port. */
export function isSameHost(one: string | URL, other: string | URL, { port }: { readonly port: boolean }): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return hostKey(a.hostname) === hostKey(b.hostname) && (!port || a.port === b.port);
}

/** Returns true if a host is an address for listening on all interfaces, which clients cannot call. */
export const isUnspecified = (host: string): boolean => ["0.0.0.0", "::"].includes(canonicalHost(host));

const special = {
  // Cloud metadata services give credentials to any local caller. AWS, ECS, Alibaba, Oracle, Google.
  metadata: [
    "169.254.169.254/32",
    "169.254.170.2/32",
    "100.100.100.200/32",
    "192.0.0.192/32",
    "fd00:ec2::254/128",
    "fd20:ce::254/128",
  ],
  // Includes the unspecified addresses: connecting to 0.0.0.0 reaches this machine.
  loopback: ["127.0.0.0/8", "::1/128", "0.0.0.0/32", "::/128"],
  // RFC 1918, carrier-grade NAT (RFC 6598), unique local (RFC 4193) and its site-local ancestor.
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fec0::/10"],
  linkLocal: ["169.254.0.0/16", "fe80::/10"],
  multicast: ["224.0.0.0/4", "ff00::/8"],
  // Other entries of the IANA special-purpose registries that cannot be a public server.
  reserved: [
    "0.0.0.0/8",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "240.0.0.0/4",
    "64:ff9b:1::/48",
    "100::/64",
    "2001:2::/48",
    "2001:db8::/32",
    "3fff::/20",
  ],
} as const;

/** The kind of network that an address belongs to. */
export type AddressKind = keyof typeof special | "public";

/** Checked in this order, because metadata addresses lie inside larger blocks. */
const blocks = Object.entries(special).map(([kind, subnets]) => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = "", prefix] = subnet.split("/");
    list.addSubnet(address, Number(prefix), isIPv6(address) ? "ipv6" : "ipv4");
  }
  // `Object.entries` loses the type of the keys.
  return { kind: kind as keyof typeof special, list };
});

/** Returns the kind of a literal address. A name has none until it is resolved. */
export const addressKind = (host: string): AddressKind | undefined =>
  isIP(canonicalHost(host)) ? kindOf(host) : undefined;

export function kindOf(address: string): AddressKind {
  const canonical = canonicalHost(address);
  const family = isIPv6(canonical) ? "ipv6" : "ipv4";
  const kind = blocks.find(({ list }) => list.check(canonical, family))?.kind ?? "public";
  const inner = kind === "public" && family === "ipv6" ? embeddedIpv4(canonical) : undefined;
  return inner ? kindOf(inner) : kind;
}

/** Returns the IPv4 address embedded in an IPv6 address, for every known scheme. */
function embeddedIpv4(address: string): string | undefined {
  const groups = ipv6Groups(address) ?? [];
  const at = (index: number, mask = 0): string => {
    const [high = 0, low = 0] = [groups[index]! ^ mask, groups[index + 1]! ^ mask];
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  };

  const startsWith = (...prefix: number[]): boolean => prefix.every((group, index) => groups[index] === group);
  if (startsWith(0, 0, 0, 0, 0, 0xffff)) return at(6); // IPv4-mapped
  if (startsWith(0, 0, 0, 0, 0xffff, 0)) return at(6); // IPv4-translated, RFC 2765
  if (startsWith(0, 0, 0, 0, 0, 0)) return at(6); // IPv4-compatible
  if (startsWith(0x64, 0xff9b, 0, 0, 0, 0)) return at(6); // NAT64, RFC 6052
  if (startsWith(0x2002)) return at(1); // 6to4, RFC 3056
  if (startsWith(0x2001, 0)) return at(6, 0xffff); // Teredo, RFC 4380
  return undefined;
}
