import { isObject, type JsonObject, type JsonValue, stepOf } from "@assay/protocol";

/** Something that was asked of a client, and that its request does not say. */
export interface Differing {
  /** as in `$.configuration.returnImmediately` */
  readonly path: string;
  readonly asked: JsonValue;
  /** absent where the request has nothing there */
  readonly written?: JsonValue;
}

/**
 * The first thing that was asked of a client and is not in its request. What a request says beyond that is the client's own
 * affair, and what means the same when it is left out (an empty text or list, `false`) need not be said.
 */
export function differingIn(asked: JsonObject, written: JsonObject): Differing | undefined {
  return differing(asked, written, "$");
}

/** A number that the specification gives a range (§3.1.4), said out of it without being asked for. */
export function outOfRange(
  asked: JsonObject,
  { pageSize }: JsonObject,
): { readonly name: string; readonly value: number } | undefined {
  const isAdded = asked["pageSize"] === undefined && typeof pageSize === "number";
  return isAdded && (pageSize < 1 || pageSize > 100) ? { name: "pageSize", value: pageSize } : undefined;
}

/**
 * The first member that has the name of the proto and not that of its JSON: `request`, `message_id`. What a program puts into
 * `metadata` and `data` has the names that it likes.
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

/** `historyLength: 0` wants no history, and without it there may be any: of numbers, 0 has to be said. */
const isUnsaid = (value: JsonValue, path: string): boolean =>
  value === "" || value === false || value === null || (value === 0 && !path.endsWith(".historyLength"));
