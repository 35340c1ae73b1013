import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";

/**
 * Replaces the addresses in a recorded card by the current ones. It removes the signatures, which are no
 * longer valid.
 */
export function movedCard(card: JsonObject, interfaces: readonly string[], to: string): JsonObject {
  const { signatures: _, ...rest } = card;
  const origins = interfaces.filter((url) => URL.canParse(url)).map((url) => new URL(url));
  const { origin, host } = new URL(to);
  const moved = (text: string): string => {
    for (const from of origins) {
      if (text === from.host) return host;
      if (text === from.origin || text.startsWith(`${from.origin}/`)) return origin + text.slice(from.origin.length);
    }
    return text;
  };
  // A card stays an object.
  return walk(rest, moved) as JsonObject;
}

function walk(value: JsonValue, moved: (text: string) => string): JsonValue {
  if (typeof value === "string") return moved(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, moved));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value as JsonObject).map(([name, inner]) => [name, walk(inner, moved)]));
}
