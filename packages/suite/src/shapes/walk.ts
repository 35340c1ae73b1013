import { fieldsOf, isObject, type JsonObject, type JsonValue, type MessageName, messageOfKind } from "@assay/protocol";

/** A protocol object within a document: its message type and its place. */
export interface Typed {
  readonly message: MessageName;
  /** for example `$.task.artifacts[0].parts[0]` */
  readonly path: string;
  readonly value: JsonObject;
}

/**
 * Returns every protocol object in `json`, the outermost first. Skips free JSON (metadata, data, params) and values of
 * the wrong type. Follows members in .proto spelling as if they were spelled right.
 */
export function typedObjects(message: MessageName, json: unknown): Typed[] {
  const found: Typed[] = [];
  addObjects(message, json, "$", found);
  return found;
}

function addObjects(message: MessageName, json: unknown, path: string, found: Typed[]): void {
  if (!isObject(json)) return;
  // Parsed JSON contains only JSON.
  const value = json as JsonObject;
  found.push({ message, path, value });
  for (const field of fieldsOf(message)) {
    const inner = messageOfKind(field.kind);
    const name = Object.hasOwn(value, field.json) ? field.json : field.proto;
    const content = value[name];
    if (!inner || content === undefined) continue;
    const here = path + stepOf(name);
    for (const [step, entry] of entriesOf(content, field)) addObjects(inner, entry, here + step, found);
  }
}

/** Returns the values of a field, each with its path step. */
export function entriesOf(
  content: JsonValue,
  { repeated, map }: { readonly repeated?: boolean; readonly map?: boolean },
): readonly (readonly [step: string, entry: JsonValue])[] {
  if (repeated) return Array.isArray(content) ? content.map((entry, index) => [`[${index}]`, entry] as const) : [];
  if (!map) return [["", content]];
  return isObject(content)
    ? Object.entries(content as JsonObject).map(([key, entry]) => [stepOf(key), entry] as const)
    : [];
}

/** Returns `.parts`, or `["with blank"]`. */
export const stepOf = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
