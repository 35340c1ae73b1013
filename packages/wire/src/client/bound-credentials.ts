import { hostKey } from "../address-kind.ts";
import type { HeaderPairs } from "../recording/exchange.ts";

/**
 * Credentials, bound to the addresses that the operator named: scheme, host and port. A card, a redirect, a signature or
 * an agent's answer may lead a request anywhere; the clients ask here before each of them, whoever caused it.
 */
export interface BoundCredentials {
  /** The operator shows something: a login, a key, or any other field that is not harmless. */
  readonly any: boolean;
  /** Whether credentials, a client certificate among them, may be shown at this address. */
  mayGoTo(address: string | URL): boolean;
  /** The fields of a request as they may go to this address. */
  permitted(address: string | URL, fields: HeaderPairs): HeaderPairs;
  /** An address as it may be asked for: with these parameters, or without every parameter that holds a secret. */
  addressed(address: string, query?: HeaderPairs): string;
  /** Whether bytes hold one of the secrets, wherever in them. */
  isIn(bytes: Uint8Array): boolean;
}

interface BindingOptions {
  /** The addresses that the operator named. */
  readonly named: readonly (string | URL)[];
  /** More of them, by `--trust-host`: `host`, `host:port`, or a URL where the scheme matters. */
  readonly trustHosts?: readonly string[];
  /** Every field that the operator gave, of every principal. */
  readonly fields: HeaderPairs;
  /** Other texts that must not leave: passwords, keys, variables of a script. */
  readonly secrets?: readonly string[];
  /** Something is shown that is no field: a client certificate, a parameter of the address. */
  readonly beyondFields?: boolean;
}

/**
 * What may be told to any host. A list of the harmless, because it is impossible to list every header that may hold a
 * key.
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

/** What is shorter is found by chance in fields that have nothing to do with it. */
const shortestSecret = 4;

export function bindCredentials(options: BindingOptions): BoundCredentials {
  const { named, trustHosts = [], fields, secrets = [], beyondFields = false } = options;
  const own = fields.filter(([name]) => !isHarmless(name));
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  const values = [...own.map(([, value]) => value), ...secrets].filter(({ length }) => length >= shortestSecret);
  const origins = named.map((address) => new URL(address));
  // A login that was named for TLS alone is not shown in clear text by naming one more host without a scheme.
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
    // A redirect often takes along what stood in the address.
    addressed: (address, query = []) =>
      mayGoTo(address) ? withQuery(address, query) : withoutParameters(address, values),
    isIn(bytes) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      return values.some((secret) => text.includes(secret));
    },
  };
}

/** The address with these parameters behind its own; what is there already stays as it is. */
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

/** Throws on what is no host. */
export function readTrustedHost(text: string): TrustedHost {
  const [, scheme, authority = ""] = /^(?:(https?:)\/\/)?([^/?#@\s]+)\/?$/i.exec(text.trim()) ?? [];
  if (!URL.canParse(`http://${authority}`)) throw new TypeError(`"${text}" is no host, and no host:port.`);
  const url = new URL(`${scheme ?? "http:"}//${authority}`);
  // The port that a scheme has by itself is not part of a parsed URL.
  const written = /:(\d+)$/.exec(authority)?.[1];
  const port = written === undefined ? scheme && portOf(url) : String(Number(written));
  return { scheme: scheme?.toLowerCase(), host: hostKey(url.hostname), port };
}

/** The same scheme, host and port, by whichever of its names this machine goes. */
function isSameOrigin(one: URL, other: URL): boolean {
  return (
    one.protocol === other.protocol &&
    hostKey(one.hostname) === hostKey(other.hostname) &&
    portOf(one) === portOf(other)
  );
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === "https:" ? "443" : "80");
