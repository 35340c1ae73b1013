import { isObject, type JsonObject } from "@assay/protocol";
import type { BindingName, MatrixVersion } from "../document/document.ts";

/** One interface of an agent. */
export interface Spoken {
  readonly binding: BindingName;
  readonly version: MatrixVersion;
}

/**
 * Returns a card with only one interface, so that a client has no choice. Everything else stays as the server
 * wrote it, in any version.
 */
export function narrowedCard(card: JsonObject, { binding, version }: Spoken): JsonObject {
  const { supportedInterfaces, ...rest } = card;
  const current = objectsIn(supportedInterfaces).filter(
    (each) => each["protocolBinding"] === binding && isVersion(each["protocolVersion"], version),
  );
  const older = version === "0.3" ? olderNarrowed(rest, binding) : rest;
  return { ...older, ...(supportedInterfaces !== undefined && current.length && { supportedInterfaces: current }) };
}

/** 0.3 cards have one interface at the top, and all of them in a list. */
function olderNarrowed(card: JsonObject, binding: BindingName): JsonObject {
  const { url, preferredTransport = "JSONRPC", additionalInterfaces } = card;
  const main = typeof url === "string" ? [{ url, transport: preferredTransport }] : [];
  const [chosen] = [...main, ...objectsIn(additionalInterfaces)].filter((each) => each["transport"] === binding);
  if (!chosen) return card;
  return {
    ...card,
    url: chosen["url"] as string,
    preferredTransport: binding,
    ...(additionalInterfaces !== undefined && { additionalInterfaces: [chosen] }),
  };
}

/** Returns true if a card declares an interface. */
export function offers(card: JsonObject, { binding, version }: Spoken): boolean {
  const current = objectsIn(card["supportedInterfaces"]).some(
    (each) => each["protocolBinding"] === binding && isVersion(each["protocolVersion"], version),
  );
  if (current || version === "1.0") return current;
  const { url, preferredTransport = "JSONRPC", additionalInterfaces } = card;
  return (
    (typeof url === "string" && preferredTransport === binding) ||
    objectsIn(additionalInterfaces).some((each) => each["transport"] === binding)
  );
}

const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((each): each is JsonObject => isObject(each)) : [];

/** "0.3" and "0.3.0" are the same on the wire. */
const isVersion = (value: unknown, version: MatrixVersion): boolean =>
  value === version || (typeof value === "string" && value.startsWith(`${version}.`));
