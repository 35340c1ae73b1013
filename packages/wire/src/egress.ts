import { lookup as dnsLookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { type AddressKind, canonicalHost, hostKey, isUnspecified, kindOf } from "./address-kind.ts";
import { pinnedNames, type ResolveName } from "./pinned-names.ts";

/**
 * Decides which hosts may be contacted.
 *
 * An agent card, a redirect or a webhook may name any host, so a stranger could use us to reach into our network. Hosts
 * that the user named are allowed. Others are rejected if they are, or resolve to, an address outside the public
 * internet. Names are checked when dialing, and the connection uses the checked address. So a name that resolves
 * differently the second time gains nothing.
 */
export interface EgressGuard {
  /**
   * The full decision with DNS, for connections through a proxy. A name that does not resolve here is allowed only if
   * the user named it, because the proxy could resolve it to any address.
   */
  checkUrl(url: string | URL): Promise<EgressDecision>;
  /**
   * The decision without DNS, for a literal address. Callers that dial also pass the port, and then use `lookup`.
   * Without a port, `onlyOrigins` does not apply.
   */
  checkHost(host: string, port?: number): EgressDecision;
  /** For `net.connect`: resolves a name and rejects it if any of its addresses is forbidden. */
  readonly lookup: LookupFunction;
}

export type EgressDecision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

export interface EgressOptions {
  /**
   * Hosts that the user named, wherever they resolve to. Ports do not count, and localhost, 127.0.0.1 and [::1] are one
   * host.
   */
  readonly trustedHosts?: readonly string[];
  /** Further allowed hosts, wherever they resolve to. The guard does not decide about credentials. */
  readonly allowHosts?: readonly string[];
  /** The only allowed addresses, by host and port (default: no such limit). The other options still apply. */
  readonly onlyOrigins?: readonly URL[];
  /** For a server bound to loopback, or an agent under test on this machine. */
  readonly allowLoopback?: boolean;
  readonly allowPrivate?: boolean;
  /** resolves names (default: the system's resolver) */
  readonly lookup?: ResolveName;
  /** Time for which a name keeps its first checked addresses, in milliseconds (default: one dial). */
  readonly pinMs?: number;
}

/** The `code` of the error for a rejected dial. */
export const egressRefused = "EGRESS_REFUSED";

export function createEgressGuard(options: EgressOptions = {}): EgressGuard {
  const named = new Set([...(options.trustedHosts ?? []), ...(options.allowHosts ?? [])].map(hostKey));
  const asked = options.lookup ?? resolveBySystem;
  const resolve = options.pinMs === undefined ? asked : pinnedNames(asked, options.pinMs);

  const isFine = (kind: AddressKind): boolean =>
    kind === "public" ||
    (kind === "loopback" && options.allowLoopback === true) ||
    (kind === "private" && options.allowPrivate === true);

  const places = options.onlyOrigins && new Set(options.onlyOrigins.map((url) => placeOf(url.hostname, portOf(url))));

  function checkHost(host: string, port?: number): EgressDecision {
    const name = canonicalHost(host);
    if (places && port !== undefined && !places.has(placeOf(name, port)))
      return { allowed: false, reason: `You did not name ${name}:${port}, so it was not contacted.` };
    if (named.has(hostKey(name)) || !isIP(name)) return { allowed: true };
    const kind = kindOf(name);
    return isFine(kind) ? { allowed: true } : refuse(`${name} is ${describe[kind]}`, name);
  }

  function checkAddresses(name: string, addresses: readonly LookupAddress[]): EgressDecision {
    if (named.has(hostKey(name))) return { allowed: true };
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
      return { allowed: false, reason: `"${url}" is neither http nor https, so Assay does not contact it.` };
    }
    const name = canonicalHost(parsed.hostname);
    const literal = checkHost(name, portOf(parsed));
    if (!literal.allowed || isIP(name)) return literal;
    return resolve(name).then(
      (addresses) => checkAddresses(name, addresses),
      () =>
        named.has(hostKey(name))
          ? { allowed: true }
          : refuse(
              `${name} does not resolve on this machine, so Assay cannot check which address the proxy would use`,
              name,
            ),
    );
  }

  const lookup: LookupFunction = (hostname, { all, family }, callback) => {
    const name = canonicalHost(hostname);
    resolve(name).then(
      (addresses) => {
        const decision = checkAddresses(name, addresses);
        if (!decision.allowed) return callback(egressError(decision.reason), []);
        // `net` asks for all addresses if it may race the families, otherwise for one.
        if (all) return callback(null, [...addresses]);
        const wanted = family === 4 || family === "IPv4" ? 4 : family === 6 || family === "IPv6" ? 6 : undefined;
        const first = addresses.find((entry) => !wanted || entry.family === wanted);
        if (!first) return callback(notFound(name), []);
        callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

  return { checkUrl, checkHost, lookup };
}

/** Cards of local agents often name a listening address such as 0.0.0.0. A client reaches this machine there. */
const placeOf = (host: string, port: number): string => `${isUnspecified(host) ? "localhost" : hostKey(host)}:${port}`;

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === "https:" ? 443 : 80);

export const egressError = (reason: string): NodeJS.ErrnoException =>
  Object.assign(new Error(reason), { code: egressRefused });

const refuse = (finding: string, host: string): EgressDecision => ({
  allowed: false,
  reason: `${finding}. You did not name this host, so it was not contacted. To allow it, pass --allow-host ${host}.`,
});

const notFound = (name: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });

const resolveBySystem: ResolveName = (hostname) =>
  new Promise((done, fail) => {
    dnsLookup(hostname, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses)));
  });

const describe: Record<AddressKind, string> = {
  metadata: "the address of a cloud metadata service",
  loopback: "an address of this machine",
  private: "a private address",
  linkLocal: "a link-local address",
  multicast: "a multicast address",
  reserved: "a reserved address",
  public: "a public address",
};
