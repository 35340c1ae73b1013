import { lookup as dnsLookup, type LookupAddress } from "node:dns";
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net";

/**
 * Decides which hosts we may talk to.
 *
 * An agent card, a redirect or a webhook may name any host, so a stranger could use us to reach into the network we run
 * in. Hosts the user named are fine; others are refused when they are, or resolve to, an address that is not on the
 * public internet. Names are judged where they are dialed, and the connection goes to the very address that was judged,
 * so a name that resolves differently the second time gains nothing.
 */
export interface EgressGuard {
  /** Whether the user named this host as the one to talk to, so that it may see credentials. */
  trusts(url: string | URL): boolean;
  /** The whole decision, asking DNS. A name that does not resolve passes: dialing it will fail and say so. */
  checkUrl(url: string | URL): Promise<EgressDecision>;
  /** What can be decided without DNS: a literal address in `host`. Whoever dials asks this, then uses `lookup`. */
  checkHost(host: string): EgressDecision;
  /** For `net.connect`: resolves a name and refuses it if any of its addresses is off limits. */
  readonly lookup: LookupFunction;
}

export type EgressDecision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

export interface EgressOptions {
  /** Hosts the user named; ports are not part of the name. */
  readonly trustedHosts?: readonly string[];
  /** Hosts that may be contacted wherever they resolve to, without being trusted with credentials. */
  readonly allowHosts?: readonly string[];
  /** For a server bound to loopback, or an agent under test on this machine. */
  readonly allowLoopback?: boolean;
  readonly allowPrivate?: boolean;
  /** How names are resolved; the system's resolver unless given. */
  readonly lookup?: (hostname: string) => Promise<readonly LookupAddress[]>;
}

/** The `code` of the error with which a guarded dial is refused. */
export const egressRefused = "EGRESS_REFUSED";

export function createEgressGuard(options: EgressOptions = {}): EgressGuard {
  const trusted = new Set(options.trustedHosts?.map(canonicalHost));
  const named = new Set([...trusted, ...(options.allowHosts ?? []).map(canonicalHost)]);
  const resolve = options.lookup ?? resolveBySystem;

  const isFine = (kind: AddressKind): boolean =>
    kind === "public" ||
    (kind === "loopback" && options.allowLoopback === true) ||
    (kind === "private" && options.allowPrivate === true);

  function checkHost(host: string): EgressDecision {
    const name = canonicalHost(host);
    if (named.has(name) || !isIP(name)) return { allowed: true };
    const kind = kindOf(name);
    return isFine(kind) ? { allowed: true } : refuse(`${name} is ${describe[kind]}`, name);
  }

  function checkAddresses(name: string, addresses: readonly LookupAddress[]): EgressDecision {
    if (named.has(name)) return { allowed: true };
    for (const { address } of addresses) {
      const kind = kindOf(address);
      if (!isFine(kind)) return refuse(`${name} resolves to ${address}, ${describe[kind]}`, name);
    }
    return { allowed: true };
  }

  async function checkUrl(url: string | URL): Promise<EgressDecision> {
    const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
    if (!parsed) return { allowed: false, reason: `"${url}" is not a URL.` };
    if (parsed.protocol !== "http:" && parsed.protocol !== "https:") {
      return { allowed: false, reason: `"${url}" is neither http nor https, so it is not contacted.` };
    }
    const name = canonicalHost(parsed.hostname);
    const literal = checkHost(name);
    if (!literal.allowed || isIP(name)) return literal;
    return resolve(name).then(
      (addresses) => checkAddresses(name, addresses),
      () => ({ allowed: true }),
    );
  }

  const lookup: LookupFunction = (hostname, { all, family }, callback) => {
    const name = canonicalHost(hostname);
    resolve(name).then(
      (addresses) => {
        const decision = checkAddresses(name, addresses);
        if (!decision.allowed) return callback(egressError(decision.reason), []);
        // `net` asks for all addresses when it may race the families, for one otherwise.
        if (all) return callback(null, [...addresses]);
        const wanted = family === 4 || family === "IPv4" ? 4 : family === 6 || family === "IPv6" ? 6 : undefined;
        const first = addresses.find((entry) => !wanted || entry.family === wanted);
        if (!first) return callback(notFound(name), []);
        callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

  return { trusts: (url) => trusted.has(canonicalHost(new URL(url).hostname)), checkUrl, checkHost, lookup };
}

export const egressError = (reason: string): NodeJS.ErrnoException =>
  Object.assign(new Error(reason), { code: egressRefused });

const refuse = (finding: string, host: string): EgressDecision => ({
  allowed: false,
  reason: `${finding}. It was not named by you, so it was not contacted; if it should be, pass --allow-host ${host}.`,
});

const notFound = (name: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });

const resolveBySystem = (hostname: string): Promise<readonly LookupAddress[]> =>
  new Promise((done, fail) => {
    dnsLookup(hostname, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses)));
  });

/**
 * One spelling per host. The URL parser knows that 0x7f.1, 2130706433 and 127.0.0.1 are the same address; a trailing
 * dot and the brackets of IPv6 are ours to take off. A port, if given, is ignored.
 */
function canonicalHost(host: string): string {
  const bare = host.replace(/^\[|\]$/g, "");
  const authority = isIPv6(bare) ? `[${bare.replace(/%.*$/, "")}]` : host;
  if (!URL.canParse(`http://${authority}`)) return host.toLowerCase();
  const { hostname } = new URL(`http://${authority}`);
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

const special = {
  // Cloud metadata services hand out credentials to whoever asks from inside. AWS, ECS, Alibaba, Oracle, Google.
  metadata: [
    "169.254.169.254/32",
    "169.254.170.2/32",
    "100.100.100.200/32",
    "192.0.0.192/32",
    "fd00:ec2::254/128",
    "fd20:ce::254/128",
  ],
  // The unspecified addresses belong here: connecting to 0.0.0.0 reaches this very machine.
  loopback: ["127.0.0.0/8", "::1/128", "0.0.0.0/32", "::/128"],
  // RFC 1918, carrier-grade NAT (RFC 6598), unique local (RFC 4193) and its site-local ancestor.
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fec0::/10"],
  linkLocal: ["169.254.0.0/16", "fe80::/10"],
  multicast: ["224.0.0.0/4", "ff00::/8"],
  // The rest of the IANA special-purpose registries that cannot be a public server.
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

type AddressKind = keyof typeof special | "public";

const describe: Record<AddressKind, string> = {
  metadata: "the address of a cloud metadata service",
  loopback: "an address of this machine",
  private: "a private address",
  linkLocal: "a link-local address",
  multicast: "a multicast address",
  reserved: "a reserved address",
  public: "a public address",
};

/** Tried in this order: metadata addresses lie within wider blocks. */
const blocks = Object.entries(special).map(([kind, subnets]) => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = "", prefix] = subnet.split("/");
    list.addSubnet(address, Number(prefix), isIPv6(address) ? "ipv6" : "ipv4");
  }
  // `Object.entries` forgets the keys' type.
  return { kind: kind as keyof typeof special, list };
});

function kindOf(address: string): AddressKind {
  const canonical = canonicalHost(address);
  const family = isIPv6(canonical) ? "ipv6" : "ipv4";
  const kind = blocks.find(({ list }) => list.check(canonical, family))?.kind ?? "public";
  const inner = kind === "public" && family === "ipv6" ? embeddedIpv4(canonical) : undefined;
  return inner ? kindOf(inner) : kind;
}

/** The IPv4 address that a router would find inside an IPv6 one, for every scheme that hides one. */
function embeddedIpv4(address: string): string | undefined {
  const [left = "", right] = address.split("::");
  const head = left ? left.split(":") : [];
  const tail = right ? right.split(":") : [];
  const zeros = right === undefined ? [] : Array<string>(8 - head.length - tail.length).fill("0");
  const groups = [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
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
