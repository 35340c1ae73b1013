import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";

/** Shorter texts are not worth a reference. */
const worthIt = 100;

/** Returns the same JSON with repeated values written once. */
export function shared(json: JsonObject): JsonObject {
  const counts = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const text = JSON.stringify(value);
    if (text.length < worthIt) return;
    const times = (counts.get(text) ?? 0) + 1;
    counts.set(text, times);
    // The content of a repeated value is not counted again.
    if (times === 1) for (const member of Object.values(value)) count(member);
  };
  count(json);

  const places = new Map<string, number>();
  const values: JsonValue[] = [];
  const refer = (value: JsonValue): JsonValue => {
    if (typeof value !== "object" || value === null) return value;
    const text = JSON.stringify(value);
    if ((counts.get(text) ?? 0) < 2) return within(value, refer);
    const known = places.get(text);
    if (known !== undefined) return { $: "shared", at: known };
    const place = values.push(null) - 1;
    places.set(text, place);
    values[place] = within(value, refer);
    return { $: "shared", at: place };
  };
  const rest = within(json, refer) as JsonObject;
  return values.length === 0 ? json : { ...rest, shared: values };
}

/** Restores the JSON. */
export function unshared({ shared: values, ...rest }: JsonObject): JsonObject {
  const list = Array.isArray(values) ? values : [];
  const expand = (value: JsonValue): JsonValue =>
    isObject(value) && value["$"] === "shared" ? expand(list[value["at"] as number]!) : within(value, expand);
  return within(rest, expand) as JsonObject;
}

function within(value: JsonValue, change: (member: JsonValue) => JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(change);
  if (!isObject(value)) return value;
  // JSON contains only JSON.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member as JsonValue)]));
}
