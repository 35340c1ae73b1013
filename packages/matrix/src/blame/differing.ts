import { isObject, type JsonObject, type JsonValue, stepOf } from "@assay/protocol";

/** A value that the program requested and that the client's request lacks. */
export interface Differing {
  /** as in `$.configuration.returnImmediately` */
  readonly path: string;
  readonly asked: JsonValue;
  /** absent if the request has no such member */
  readonly written?: JsonValue;
}

/**
 * Returns the first requested value that is missing from a client's request. Additional members are allowed,
 * and so is omitting a default (an empty text or list, `false`).
 */
export function differingIn(asked: JsonObject, written: JsonObject): Differing | undefined {
  return differing(asked, written, "$");
}

/** Returns an unrequested number outside the range of the specification (§3.1.4). */
export function outOfRange(
  asked: JsonObject,
  { pageSize }: JsonObject,
): { readonly name: string; readonly value: number } | undefined {
  const isAdded = asked["pageSize"] === undefined && typeof pageSize === "number";
  return isAdded && (pageSize < 1 || pageSize > 100) ? { name: "pageSize", value: pageSize } : undefined;
}

/**
 * Returns the first member with its proto name instead of its JSON name: `request`, `message_id`. `metadata`
 * and `data` may have any names.
 */
export function protoNameIn(written: JsonValue, path = "$"): string | undefined {
  if (Array.isArray(written))
    return firstOf(written.entries(), ([index, each]) => protoNameIn(each, path + stepOf(index)));
  if (!isObject(written)) return undefined;
  return firstOf(Object.entries(written as JsonObject), ([name, each]) => {
    const at = path + stepOf(name);
    if (name === "metadata" || name === "data") return undefined;
    return at === "$.request" || /^[a-z]+(?:_[a-z]+)+$/.test(name) ? at : protoNameIn(each, at);
  });
}

function firstOf<T>(all: Iterable<T>, find: (each: T) => string | undefined): string | undefined {
  for (const each of all) {
    const found = find(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

function differing(asked: JsonValue, written: JsonValue | undefined, path: string): Differing | undefined {
  if (Array.isArray(asked)) {
    const list: readonly JsonValue[] = Array.isArray(written) ? written : [];
    for (const [index, each] of asked.entries()) {
      const found = differing(each, list[index], path + stepOf(index));
      if (found) return found;
    }
    return undefined;
  }
  if (isObject(asked)) {
    const members: JsonObject = isObject(written) ? (written as JsonObject) : {};
    for (const [name, each] of Object.entries(asked as JsonObject)) {
      const found = differing(each, members[name], path + stepOf(name));
      if (found) return found;
    }
    return undefined;
  }
  // Some clients number their messages themselves.
  if (path.endsWith(".messageId")) return undefined;
  if (asked === written || (written === undefined && isUnsaid(asked, path))) return undefined;
  return { path, asked, ...(written !== undefined && { written }) };
}

/**
 * Returns true for a default. `historyLength: 0` asks for no history, unlike its absence, so the number 0
 * must be sent.
 */
const isUnsaid = (value: JsonValue, path: string): boolean =>
  value === "" || value === false || value === null || (value === 0 && !path.endsWith(".historyLength"));
