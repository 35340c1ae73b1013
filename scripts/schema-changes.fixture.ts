/** A JSON Schema, limited to the keywords that ours use. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/**
 * "read": Assay reads such files, so they must stay valid. "written": programs read ours, so no member may disappear.
 */
export type Direction = "read" | "written";

/** Lists the changes that break files or programs for the earlier schema. */
export function schemaChanges(before: Schema, after: Schema, direction: Direction): string[] {
  const compared = new Set<string>();

  const at = (root: Schema, schema: unknown): Schema => {
    if (typeof schema !== "object" || schema === null) return {};
    const { $ref, ...rest } = schema as Schema;
    if (typeof $ref !== "string") return schema as Schema;
    const keys = $ref.replace(/^#\/?/, "").split("/").filter(Boolean);
    const found = keys.reduce<unknown>((each, key) => (each as Schema | undefined)?.[key], root);
    return { ...at(root, found), ...rest };
  };

  function compare(earlier: unknown, later: unknown, path: string): string[] {
    // Compare a recursive schema only once.
    const pair = JSON.stringify([earlier, later]);
    if (compared.has(pair)) return [];
    compared.add(pair);
    const changes = changesIn(at(before, earlier), at(after, later), path);
    // Forget a pair with changes, so that another place with the same pair reports them too.
    if (changes.length > 0) compared.delete(pair);
    return changes;
  }

  function changesIn(old: Schema, now: Schema, path: string): string[] {
    const place = path || "the document";
    const membersOf = (schema: Schema) => (schema["properties"] ?? {}) as Record<string, unknown>;
    const listOf = (schema: Schema, keyword: string) => (schema[keyword] ?? []) as readonly unknown[];
    const members = Object.entries(membersOf(old)).flatMap(([name, schema]) =>
      name in membersOf(now)
        ? compare(schema, membersOf(now)[name], `${path}/${name}`)
        : [`${path}/${name} is removed`],
    );
    const required = listOf(now, "required").filter((name) => !listOf(old, "required").includes(name));
    const dropped = listOf(old, "required").filter((name) => !listOf(now, "required").includes(name));
    const variants = ["oneOf", "anyOf", "allOf"].flatMap((keyword) =>
      listOf(old, keyword).flatMap((variant) => {
        const tried = listOf(now, keyword).map((other) => compare(variant, other, path));
        return tried.toSorted((a, b) => a.length - b.length)[0] ?? [`${place}: ${keyword} is removed`];
      }),
    );
    const isLimited = (["oneOf", "anyOf"] as const).some((keyword) => now[keyword] && !old[keyword]);
    const isBound = listOf(now, "allOf").length > listOf(old, "allOf").length;
    const isClosed = now["additionalProperties"] === false && old["additionalProperties"] !== false;
    return [
      ...members,
      ...required.map((name) => `${path}/${String(name)} is newly required`),
      ...(direction === "written" ? dropped.map((name) => `${path}/${String(name)} is no longer required`) : []),
      ...typeChanges(old, now, place, direction),
      ...valueChanges(old, now, place),
      ...boundChanges(old, now, place),
      ...variants,
      ...(isLimited || isBound ? [`${place} has a new alternative or condition`] : []),
      ...(isClosed ? [`${place} no longer accepts other members`] : []),
      ...["items", "additionalProperties", "propertyNames"].flatMap((keyword) =>
        typeof old[keyword] === "object" ? compare(old[keyword], now[keyword], `${path}/*`) : [],
      ),
    ];
  }

  return [...new Set(compare(before, after, ""))];
}

/** Returns the types of a schema; undefined means any type. */
const typesOf = ({ type }: Schema): readonly unknown[] | undefined => (type === undefined ? undefined : [type].flat());

function typeChanges(old: Schema, now: Schema, place: string, direction: Direction): string[] {
  const [was, is] = [typesOf(old), typesOf(now)];
  const covers = (types: readonly unknown[] | undefined, type: unknown) =>
    types === undefined || types.includes(type) || (type === "integer" && types.includes("number"));
  const isNarrower = was === undefined ? is !== undefined : was.some((type) => !covers(is, type));
  const isWider = was !== undefined && (is === undefined || is.some((type) => !covers(was, type)));
  if (isNarrower) return [`${place}: the type is narrower`];
  return direction === "written" && isWider ? [`${place}: the type is wider`] : [];
}

/** Compares enums. A new value is compatible, because programs must expect unknown values. */
function valueChanges(old: Schema, now: Schema, place: string): string[] {
  const valuesOf = (schema: Schema) =>
    "const" in schema ? [schema["const"]] : (schema["enum"] as readonly unknown[] | undefined);
  const [was, is] = [valuesOf(old), valuesOf(now)];
  if (is === undefined) return [];
  if (was === undefined) return [`${place}: only some values are accepted now`];
  return was.filter((value) => !is.includes(value)).map((value) => `${place}: the value ${String(value)} is removed`);
}

const lowerBounds = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const upperBounds = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

function boundChanges(old: Schema, now: Schema, place: string): string[] {
  const numberOf = (schema: Schema, keyword: string, fallback: number) => Number(schema[keyword] ?? fallback);
  const isNarrower =
    lowerBounds.some((each) => numberOf(now, each, -Infinity) > numberOf(old, each, -Infinity)) ||
    upperBounds.some((each) => numberOf(now, each, Infinity) < numberOf(old, each, Infinity)) ||
    ["pattern", "format"].some((each) => now[each] !== undefined && now[each] !== old[each]);
  return isNarrower ? [`${place}: the limits are narrower`] : [];
}
