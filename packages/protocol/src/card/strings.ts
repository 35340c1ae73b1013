import { isObject } from "../json.ts";

/**
 * Yields every string of a card with its path, except its signatures, which are base64url by design. The reader has
 * limited the depth.
 */
export function* stringsIn(json: unknown, path = "$"): Generator<[text: string, path: string]> {
  if (typeof json === "string") yield [json, path];
  else if (Array.isArray(json)) {
    for (const [index, element] of json.entries()) yield* stringsIn(element, `${path}[${index}]`);
  } else if (isObject(json)) {
    for (const [name, member] of Object.entries(json)) {
      if (path !== "$" || name !== "signatures") yield* stringsIn(member, `${path}.${name}`);
    }
  }
}
