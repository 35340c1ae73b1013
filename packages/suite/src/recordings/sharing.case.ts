import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";

/** What is shorter is not worth a reference. */
const worthIt = 100;

/** The same JSON, in which what occurs several times is written once and referred to. */
export function shared(json: JsonObject): JsonObject {
  const counts = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const text = JSON.stringify(value);
    if (text.length < worthIt) return;
    const times = (counts.get(text) ?? 0) + 1;
    counts.set(text, times);
    // What is in something that occurs again does not occur again itself.
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

/** The JSON as it was before it was shared. */
export function unshared({ shared: values, ...rest }: JsonObject): JsonObject {
  const list = Array.isArray(values) ? values : [];
  const expand = (value: JsonValue): JsonValue =>
    isObject(value) && value["$"] === "shared" ? expand(list[value["at"] as number]!) : within(value, expand);
  return within(rest, expand) as JsonObject;
}

function within(value: JsonValue, change: (member: JsonValue) => JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(change);
  if (!isObject(value)) return value;
  // What is JSON holds JSON.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member as JsonValue)]));
}
