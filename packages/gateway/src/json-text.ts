import { jsonIn } from "@assay/protocol/json";

/** JSON whose numbers keep their text, because a gateway that parses them may round them. */
type Exact = string | boolean | null | { readonly number: string } | readonly Exact[] | ReadonlyMap<string, Exact>;

const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g;

/** A difference between two JSON texts. */
export interface JsonDifference {
  /** as in `$.metadata.id` */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /**
   * notation: the same value, as in 1.0 and 1, or an empty member that is added. rounded: the nearest double, in a place
   * where A2A promises no more.
   */
  readonly is: "content" | "notation" | "rounded";
}

/** Protobuf holds these members as Struct or Value, whose numbers are doubles. */
const isFreeForm = (path: string): boolean => /\.metadata\b|\.data\b/.test(path);

/**
 * Returns the first difference of content between two JSON texts, or the first one of notation. The order of members,
 * white space and the JSON-RPC id do not count.
 */
export function jsonDifference(before: string, after: string): JsonDifference | undefined {
  const [a, b] = [exact(before), exact(after)];
  if (a === undefined || b === undefined)
    return before === after ? undefined : { path: "$", before: brief(before), after: brief(after), is: "content" };
  let harmless: JsonDifference | undefined;
  for (const difference of differencesOf(withoutId(a), withoutId(b), "$")) {
    if (difference.is === "content") return difference;
    harmless ??= difference;
  }
  return harmless;
}

/** Returns every value of a JSON text by its path, as in `$.skills[0].id`; undefined if it is not JSON. */
export function leavesOf(text: string): ReadonlyMap<string, string> | undefined {
  const value = exact(text);
  if (value === undefined) return undefined;
  const leaves = new Map<string, string>();
  const walk = (each: Exact, path: string): void => {
    if (each instanceof Map && each.size > 0) for (const [name, inner] of each) walk(inner, `${path}.${name}`);
    else if (Array.isArray(each) && each.length > 0)
      for (const [n, inner] of each.entries()) walk(inner, `${path}[${n}]`);
    else
      leaves.set(
        path,
        isNumber(each) ? plainNumber(each.number, path) : each instanceof Map ? "{}" : JSON.stringify(each),
      );
  };
  walk(withoutId(value), "$");
  return leaves;
}

/** Writes equal numbers in the same way. Doubles keep 15 digits, so longer numbers keep their text. */
const plainNumber = (text: string, path: string): string =>
  isShort(text) || isFreeForm(path) ? String(Number(text)) : text;

/** A gateway may use JSON-RPC ids of its own towards the agent. */
const withoutId = (value: Exact): Exact =>
  value instanceof Map && value.has("jsonrpc") ? new Map([...value].filter(([name]) => name !== "id")) : value;

function exact(text: string): Exact | undefined {
  // The platform's parser decides what is JSON; the tokens below only keep the notation.
  if (jsonIn(text) === undefined) return undefined;
  const rest = text.match(tokens) ?? [];
  let at = 0;
  const value = (): Exact => {
    const token = rest[at++]!;
    if (token === "[") {
      const items: Exact[] = [];
      while (rest[at] !== "]") {
        items.push(value());
        if (rest[at] === ",") at++;
      }
      at++;
      return items;
    }
    if (token === "{") {
      const members = new Map<string, Exact>();
      while (rest[at] !== "}") {
        const name = JSON.parse(rest[at]!) as string;
        at += 2;
        members.set(name, value());
        if (rest[at] === ",") at++;
      }
      at++;
      return members;
    }
    return /^[-\d]/.test(token) ? { number: token } : (JSON.parse(token) as Exact);
  };
  return value();
}

/** Yields every difference, so that another notation does not hide a lost value. */
function* differencesOf(a: Exact, b: Exact, path: string): Generator<JsonDifference> {
  if (a instanceof Map && b instanceof Map) {
    for (const [name, value] of a) yield* differencesAt(value, b.get(name), `${path}.${name}`);
    for (const [name, value] of b) if (!a.has(name)) yield* differencesAt(undefined, value, `${path}.${name}`);
  } else if (Array.isArray(a) && Array.isArray(b))
    for (let index = 0; index < Math.max(a.length, b.length); index++)
      yield* differencesAt(a[index], b[index], `${path}[${index}]`);
  else if (shown(a) !== shown(b)) yield { path, before: shown(a), after: shown(b), is: kindOf(a, b, path) };
}

function* differencesAt(a: Exact | undefined, b: Exact | undefined, path: string): Generator<JsonDifference> {
  if (a !== undefined && b !== undefined) yield* differencesOf(a, b, path);
  else
    yield {
      path,
      before: a === undefined ? "nothing" : shown(a),
      after: b === undefined ? "nothing" : shown(b),
      // An empty object or list means the same as none.
      is: a === undefined && isEmpty(b) ? "notation" : "content",
    };
}

const isEmpty = (value: Exact | undefined): boolean =>
  value instanceof Map ? value.size === 0 : Array.isArray(value) && value.length === 0;

/** Doubles keep 15 digits, so only shorter numbers can be compared by value. */
const isShort = (text: string): boolean => text.replace(/[^\d]/g, "").length <= 15;

function kindOf(a: Exact, b: Exact, path: string): JsonDifference["is"] {
  if (!isNumber(a) || !isNumber(b) || Number(a.number) !== Number(b.number)) return "content";
  if (isShort(a.number) && isShort(b.number)) return "notation";
  return isFreeForm(path) ? "rounded" : "content";
}

const isNumber = (value: Exact): value is { readonly number: string } =>
  typeof value === "object" && value !== null && "number" in value;

function shown(value: Exact): string {
  if (isNumber(value)) return value.number;
  if (value instanceof Map) return brief(`{${[...value].map(([name, each]) => `${name}: ${shown(each)}`).join(", ")}}`);
  if (Array.isArray(value)) return brief(`[${value.map(shown).join(", ")}]`);
  return brief(JSON.stringify(value));
}

const brief = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);
