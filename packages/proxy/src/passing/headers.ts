import type { HeaderPairs } from "@assay/wire";
import { isHarmless } from "@assay/wire/passing";

/** What concerns one connection alone, and is not passed on (RFC 9110 §7.6.1). */
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

/** What says where a message ends, what it is and whom it is for. `Connection: content-length` would make two requests of one. */
const neverOfOneConnection = new Set(["content-encoding", "content-length", "content-type", "host"]);

/** The fields that go on to the other side. */
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

/** The same fields, the host being another. */
export const withHost = (fields: HeaderPairs, host: string): HeaderPairs =>
  fields.map(([name, value]) => (name.toLowerCase() === "host" ? [name, host] : [name, value]));

/** Fields without which a request is none, and in which no credential has its place. */
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
 * What a host may be told that only the card named: it is impossible to list every field that may hold a key, so all go
 * back that are not known to be harmless.
 */
export function withoutCredentials(fields: HeaderPairs): { readonly kept: HeaderPairs; readonly withheld: string[] } {
  const kept = fields.filter(([name]) => isHarmless(name) || isCarrying(name));
  const withheld = fields.filter((field) => !kept.includes(field)).map(([name]) => name);
  return { kept, withheld: [...new Set(withheld)] };
}

/** The first value of a field, whatever its case. */
export const fieldOf = (fields: HeaderPairs, name: string): string | undefined =>
  fields.find(([key]) => key.toLowerCase() === name)?.[1];
