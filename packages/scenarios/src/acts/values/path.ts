import { isObject, type JsonValue } from "@assay/protocol";

type Stride = { readonly member: string } | { readonly index: number } | "all";

/** Reads `task.artifacts[0].parts[*]`; undefined if it is not a path. */
export function readPath(text: string): readonly Stride[] | undefined {
  const strides: Stride[] = [];
  let rest = text.trim();
  if (rest === "") return [];
  while (rest !== "") {
    const [taken, member, index] =
      /^\.?([^.[\]\s]+)/.exec(rest) ?? /^\[(?:"[^"]*"|'[^']*'|(\d+|\*))\]/.exec(rest)?.toSpliced(1, 0, "") ?? [];
    if (taken === undefined) return undefined;
    if (index !== undefined) strides.push(index === "*" ? "all" : { index: Number(index) });
    else strides.push({ member: member || taken.slice(2, -2) });
    rest = rest.slice(taken.length);
  }
  return strides;
}

/** A value and its place. */
export interface Found {
  readonly path: string;
  readonly value: JsonValue | undefined;
}

/** Returns the value at a path; undefined if there is none. */
export const valueAt = (root: JsonValue | undefined, path: string): JsonValue | undefined =>
  valuesAt(root, path)[0]?.value;

/** Returns every value that a path with wildcards matches. */
export function valuesAt(root: JsonValue | undefined, path: string): Found[] {
  const strides = readPath(path) ?? [];
  let here: Found[] = [{ path: "", value: root }];
  for (const stride of strides) here = here.flatMap((found) => step(found, stride));
  return here;
}

function step({ path, value }: Found, stride: Stride): Found[] {
  if (stride === "all")
    return Array.isArray(value) ? value.map((each, index) => ({ path: `${path}[${index}]`, value: each })) : [];
  if ("index" in stride)
    return Array.isArray(value) && stride.index < value.length
      ? [{ path: `${path}[${stride.index}]`, value: value[stride.index] }]
      : [];
  const { member } = stride;
  return isObject(value) && Object.hasOwn(value, member)
    ? [{ path: path ? `${path}.${member}` : member, value: value[member] as JsonValue }]
    : [];
}
