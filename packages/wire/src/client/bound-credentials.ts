import { hostKey } from "../address-kind.ts";
import type { HeaderPairs } from "../recording/exchange.ts";

/**
 * Credentials bound to the addresses that the operator named: scheme, host and port. A card, a redirect, a signature or
 * an agent's response may send a request anywhere, so clients check here before each request.
 */
export interface BoundCredentials {
  /** The operator gave credentials: a login, a key, or any other field that is not harmless. */
  readonly any: boolean;
  /** Returns true if credentials, including a client certificate, may be sent to this address. */
  mayGoTo(address: string | URL): boolean;
  /** Returns the headers that may be sent to this address. */
  permitted(address: string | URL, fields: HeaderPairs): HeaderPairs;
  /**
   * Returns the address with these query parameters if it may see them, otherwise without any parameter that holds a
   * secret.
   */
  addressed(address: string, query?: HeaderPairs): string;
  /** Returns true if bytes contain one of the secrets. */
  isIn(bytes: Uint8Array): boolean;
}

interface BindingOptions {
  /** The addresses that the operator named. */
  readonly named: readonly (string | URL)[];
  /** Further addresses from `--trust-host`: `host`, `host:port`, or a URL if the scheme matters. */
  readonly trustHosts?: readonly string[];
  /** All headers that the operator gave, for all principals. */
  readonly fields: HeaderPairs;
  /** Other secret texts: passwords, keys, variables of a script. */
  readonly secrets?: readonly string[];
  /** Credentials outside the headers: a client certificate, or a parameter of the address. */
  readonly beyondFields?: boolean;
}

/**
 * Headers that any host may see. The list names harmless headers, because the headers that may hold a key
 * cannot be listed.
 */
const harmless = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "a2a-extensions",
  "a2a-version",
  "cache-control",
  "user-agent",
  "x-a2a-extensions",
]);

export const isHarmless = (field: string): boolean => harmless.has(field.toLowerCase());

/** Shorter secrets would match unrelated fields by chance. */
const shortestSecret = 4;

export function bindCredentials(options: BindingOptions): BoundCredentials {
  const { named, trustHosts = [], fields, secrets = [], beyondFields = false } = options;
  const own = fields.filter(([name]) => !isHarmless(name));
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  const values = [...own.map(([, value]) => value), ...secrets].filter(({ length }) => length >= shortestSecret);
  const origins = named.map((address) => new URL(address));
  // Trusting a host without a scheme must not send https-only credentials in clear text.
  const isPlainFine = origins.some(({ protocol }) => protocol === "http:");
  const trusted = trustHosts.map(readTrustedHost);

  const mayGoTo = (address: string | URL): boolean => {
    const url = new URL(address);
    if (origins.some((origin) => isSameOrigin(origin, url))) return true;
    return trusted.some(
      ({ scheme, host, port }) =>
        host === hostKey(url.hostname) &&
        (port === undefined || port === portOf(url)) &&
        (scheme === undefined ? url.protocol === "https:" || isPlainFine : scheme === url.protocol),
    );
  };
  const shows = ([name, value]: HeaderPairs[number]): boolean =>
    names.has(name.toLowerCase()) || values.some((secret) => value.includes(secret));

  return {
    any: own.length > 0 || beyondFields,
    mayGoTo,
    permitted: (address, given) => (mayGoTo(address) ? given : given.filter((field) => !shows(field))),
    // A redirect often keeps the query of the original address.
    addressed: (address, query = []) =>
      mayGoTo(address) ? withQuery(address, query) : withoutParameters(address, values),
    isIn(bytes) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      return values.some((secret) => text.includes(secret));
    },
  };
}

/** Adds the parameters to the address, except those it already has. */
export function withQuery(address: string, query: HeaderPairs): string {
  if (query.length === 0) return address;
  const { searchParams } = new URL(address);
  const missing = query.filter(([name]) => !searchParams.has(name));
  const [, bare = address, hash = ""] = /^([^#]*)(#.*)?$/s.exec(address) ?? [];
  const added = missing.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  const sign = bare.includes("?") ? (/[?&]$/.test(bare) ? "" : "&") : "?";
  return added ? `${bare}${sign}${added}${hash}` : address;
}

function withoutParameters(address: string, secrets: readonly string[]): string {
  const url = new URL(address);
  const shown = [...url.searchParams].filter(([, value]) => secrets.some((secret) => value.includes(secret)));
  if (shown.length === 0) return address;
  for (const [name] of shown) url.searchParams.delete(name);
  return url.href;
}

interface TrustedHost {
  readonly scheme: string | undefined;
  readonly host: string;
  readonly port: string | undefined;
}

/** Throws if the text is not a host. */
export function readTrustedHost(text: string): TrustedHost {
  const [, scheme, authority = ""] = /^(?:(https?:)\/\/)?([^/?#@\s]+)\/?$/i.exec(text.trim()) ?? [];
  if (!URL.canParse(`http://${authority}`)) throw new TypeError(`"${text}" is not a host or host:port.`);
  const url = new URL(`${scheme ?? "http:"}//${authority}`);
  // A parsed URL omits the default port of its scheme.
  const written = /:(\d+)$/.exec(authority)?.[1];
  const port = written === undefined ? scheme && portOf(url) : String(Number(written));
  return { scheme: scheme?.toLowerCase(), host: hostKey(url.hostname), port };
}

/** Returns true if both have the same scheme, host and port. All names of this machine count as one. */
function isSameOrigin(one: URL, other: URL): boolean {
  return (
    one.protocol === other.protocol &&
    hostKey(one.hostname) === hostKey(other.hostname) &&
    portOf(one) === portOf(other)
  );
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === "https:" ? "443" : "80");
