import { jsonIn } from "@assay/protocol/json";

/** JSON whose numbers keep their text, because a gateway that parses them may round them. */
type Exact = string | boolean | null | { readonly number: string } | readonly Exact[] | ReadonlyMap<string, Exact>;

const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g;

/** The first difference between two JSON texts. */
export interface JsonDifference {
  /** as in `$.metadata.id` */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** the same value in another notation, as in 1.0 and 1 */
  readonly isNotation: boolean;
}

/** Compares two JSON texts by content: order of members, white space and the JSON-RPC id do not count. */
export function jsonDifference(before: string, after: string): JsonDifference | undefined {
  const [a, b] = [exact(before), exact(after)];
  if (a === undefined || b === undefined)
    return before === after ? undefined : { path: "$", before: brief(before), after: brief(after), isNotation: false };
  return differenceOf(withoutId(a), withoutId(b), "$");
}

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

function differenceOf(a: Exact, b: Exact, path: string): JsonDifference | undefined {
  if (a instanceof Map && b instanceof Map) {
    for (const [name, value] of a) {
      const other = b.get(name);
      const at = `${path}.${name}`;
      if (other === undefined) return { path: at, before: shown(value), after: "nothing", isNotation: false };
      const difference = differenceOf(value, other, at);
      if (difference) return difference;
    }
    const added = [...b.keys()].find((name) => !a.has(name));
    return added === undefined
      ? undefined
      : { path: `${path}.${added}`, before: "nothing", after: shown(b.get(added)!), isNotation: false };
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    for (const [index, value] of a.entries()) {
      const at = `${path}[${index}]`;
      if (index >= b.length) return { path: at, before: shown(value), after: "nothing", isNotation: false };
      const difference = differenceOf(value, b[index], at);
      if (difference) return difference;
    }
    return b.length > a.length
      ? { path: `${path}[${a.length}]`, before: "nothing", after: shown(b[a.length]), isNotation: false }
      : undefined;
  }
  if (shown(a) === shown(b)) return undefined;
  return { path, before: shown(a), after: shown(b), isNotation: isSameNumber(a, b) };
}

/** Doubles keep 15 digits, so only shorter numbers can be compared by value. */
function isSameNumber(a: Exact, b: Exact): boolean {
  if (!isNumber(a) || !isNumber(b)) return false;
  const isShort = (text: string): boolean => text.replace(/[^\d]/g, "").length <= 15;
  return isShort(a.number) && isShort(b.number) && Number(a.number) === Number(b.number);
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
