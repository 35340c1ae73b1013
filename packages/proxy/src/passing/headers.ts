import type { HeaderPairs } from "@assay/wire";
import { isHarmless } from "@assay/wire/passing";

/** Headers that concern one connection only and are not forwarded (RFC 9110 §7.6.1). */
const ofOneConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Headers about the length, type and target of a message. `Connection: content-length` would split one request into
 * two.
 */
const neverOfOneConnection = new Set(["content-encoding", "content-length", "content-type", "host"]);

/** Returns the headers to forward. */
export function endToEnd(fields: HeaderPairs): HeaderPairs {
  const named = new Set(
    fields
      .filter(([name]) => name.toLowerCase() === "connection")
      .flatMap(([, value]) => value.split(",").map((option) => option.trim().toLowerCase()))
      .filter((option) => !neverOfOneConnection.has(option)),
  );
  return fields.filter(([name]) => {
    const key = name.toLowerCase();
    return !ofOneConnection.has(key) && !named.has(key);
  });
}

/** Returns the headers with another host. */
export const withHost = (fields: HeaderPairs, host: string): HeaderPairs =>
  fields.map(([name, value]) => (name.toLowerCase() === "host" ? [name, host] : [name, value]));

/** Headers that a request needs and that never hold credentials. */
const carrying = new Set([
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "grpc-accept-encoding",
  "grpc-encoding",
  "grpc-timeout",
  "host",
  "te",
]);

const isCarrying = (name: string): boolean => name.startsWith(":") || carrying.has(name.toLowerCase());

/**
 * Removes headers that may hold credentials, for hosts that only the card names. It is impossible to list every header
 * that may hold a key, so only known harmless headers are kept.
 */
export function withoutCredentials(fields: HeaderPairs): { readonly kept: HeaderPairs; readonly withheld: string[] } {
  const kept = fields.filter(([name]) => isHarmless(name) || isCarrying(name));
  const withheld = fields.filter((field) => !kept.includes(field)).map(([name]) => name);
  return { kept, withheld: [...new Set(withheld)] };
}
