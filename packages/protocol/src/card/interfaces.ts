import { isObject, type JsonObject } from "../json.ts";
import { normalise } from "../schemas/validate.ts";
import type { DialectVersion } from "../versions.ts";
import { declaredInterfaces, dialectOf, evidenceIn, laterVersion, shapeOf } from "./evidence.ts";

/** One interface of the agent, as its card declares it. */
export interface CardInterface {
  readonly url: string;
  readonly binding: string;
  /** undefined if the declared version is unknown */
  readonly dialect: DialectVersion | undefined;
  /** the declared version, if it is a later minor version with the form of its dialect, as in "1.1" */
  readonly later?: string;
  readonly tenant?: string;
  /** its place in the card, for example `$.supportedInterfaces[0]` */
  readonly path: string;
}

/**
 * Returns all interfaces with an address in the card's order of preference, those of older members after the 1.0 list.
 */
export function interfacesIn(card: JsonObject): CardInterface[] {
  const shape = shapeOf(card);
  const listed = declaredInterfaces(card).flatMap(listedInterface);
  if (shape === "1.0") return listed;
  const older = olderInterfaces(card, olderDialect(card));
  // An older list repeats its main pair, and a superset card repeats its 1.0 interfaces in the older members.
  const known = new Set(listed.map(key));
  return [...listed, ...older.filter((entry) => !known.has(key(entry)) && known.add(key(entry)))];
}

const key = ({ url, binding, dialect }: CardInterface): string => JSON.stringify([url, binding, dialect]);

function listedInterface(entry: unknown, index: number): CardInterface[] {
  const read = normalise("AgentInterface", entry);
  if (!isObject(read)) return [];
  const { url, protocolBinding, protocolVersion, tenant } = read;
  const later = laterVersion(protocolVersion);
  if (typeof url !== "string" || !url || typeof protocolBinding !== "string") return [];
  return [
    {
      url,
      binding: protocolBinding,
      dialect: protocolVersion === undefined ? "1.0" : dialectOf(protocolVersion),
      ...(later !== undefined && { later }),
      // An empty tenant means no tenant.
      ...(typeof tenant === "string" && tenant !== "" && { tenant }),
      path: `$.supportedInterfaces[${index}]`,
    },
  ];
}

/** Returns the dialect of the older members. In a superset card that is never 1.0, which has its own list. */
function olderDialect(card: JsonObject): DialectVersion | undefined {
  const evidence = evidenceIn(card);
  if (shapeOf(card) === "older") return evidence[0]?.dialect;
  return dialectOf(card["protocolVersion"]) ?? "0.3";
}

function olderInterfaces(card: JsonObject, dialect: DialectVersion | undefined): CardInterface[] {
  const { url, preferredTransport, additionalInterfaces } = card;
  const binding = typeof preferredTransport === "string" ? preferredTransport : "JSONRPC";
  const main: CardInterface[] = typeof url === "string" && url ? [{ url, binding, dialect, path: "$" }] : [];
  const additional = Array.isArray(additionalInterfaces) ? additionalInterfaces : [];
  return main.concat(
    additional.flatMap((entry, index) => {
      if (!isObject(entry) || typeof entry["url"] !== "string" || typeof entry["transport"] !== "string") return [];
      return [{ url: entry["url"], binding: entry["transport"], dialect, path: `$.additionalInterfaces[${index}]` }];
    }),
  );
}
