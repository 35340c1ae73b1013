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
   * notation: the same value, as in 1.0 and 1, or an empty member that is added. rounded: the nearest double, in a
   * place where A2A promises no more. undefined-member: the loss of `laterMember`.
   */
  readonly is: "content" | "notation" | "rounded" | "undefined-member";
}

/** A member that no version of A2A defines. A gateway may know its version, and drop everything else. */
export const laterMember = "assayLaterMember";

/** Protobuf holds these members as Struct or Value, whose numbers are doubles. */
const isFreeForm = (path: string): boolean => /\.metadata\b|\.data\b/.test(path);

/**
 * Returns the first difference of content between two JSON texts, or the first one of notation. The order of members,
 * white space and the JSON-RPC id do not count.
 */
export function jsonDifference(before: string, after: string): JsonDifference | undefined {
  const [a, b] = [exact(before), exact(after)];
  if (a === undefined || b === undefined)
    return before === after ? undefined : { path: "$", ...excerpts(before, after), is: "content" };
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
  else if (textOf(a) !== textOf(b)) yield { path, ...excerpts(textOf(a), textOf(b)), is: kindOf(a, b, path) };
}

function* differencesAt(a: Exact | undefined, b: Exact | undefined, path: string): Generator<JsonDifference> {
  if (a !== undefined && b !== undefined) yield* differencesOf(a, b, path);
  else
    yield {
      path,
      ...excerpts(textOf(a), textOf(b)),
      is: kindOfMember(a, b, path),
    };
}

function kindOfMember(a: Exact | undefined, b: Exact | undefined, path: string): JsonDifference["is"] {
  // An empty object or list means the same as none.
  if (a === undefined && isEmpty(b)) return "notation";
  return b === undefined && path.endsWith(`.${laterMember}`) ? "undefined-member" : "content";
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

function textOf(value: Exact | undefined): string {
  if (value === undefined) return "nothing";
  if (isNumber(value)) return value.number;
  if (value instanceof Map) return `{${[...value].map(([name, each]) => `${name}: ${textOf(each)}`).join(", ")}}`;
  if (Array.isArray(value)) return `[${value.map(textOf).join(", ")}]`;
  return JSON.stringify(value);
}

const longest = 120;
/** Shown in front of a difference in long texts. */
const lead = 40;

/** Shortens two texts to the place where they differ. */
export function excerpts(before: string, after: string): { readonly before: string; readonly after: string } {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  const from = same + lead > longest ? same - lead : 0;
  const excerpt = (text: string): string =>
    `${from > 0 ? "…" : ""}${text.slice(from, from + longest)}${text.length > from + longest ? "…" : ""}`;
  return { before: excerpt(before), after: excerpt(after) };
}
