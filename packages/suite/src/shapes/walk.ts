import { fieldsOf, isObject, type JsonObject, type JsonValue, type MessageName, messageOfKind } from "@assay/protocol";

/** One object of the protocol within a document: which message it is, and where it stands. */
export interface Typed {
  readonly message: MessageName;
  /** as in `$.task.artifacts[0].parts[0]` */
  readonly path: string;
  readonly value: JsonObject;
}

/**
 * Every object of the protocol in `json`, itself first. What is free (metadata, data, params) is not entered, what has
 * the wrong type is left out, and a member in the spelling of the .proto is followed as if it were spelled right.
 */
export function* typedObjects(message: MessageName, json: unknown, path = "$"): Generator<Typed> {
  if (!isObject(json)) return;
  // What was parsed from JSON holds JSON.
  const value = json as JsonObject;
  yield { message, path, value };
  for (const field of fieldsOf(message)) {
    const inner = messageOfKind(field.kind);
    const name = Object.hasOwn(value, field.json) ? field.json : field.proto;
    const content = value[name];
    if (!inner || content === undefined) continue;
    for (const [step, entry] of entriesOf(content, field))
      yield* typedObjects(inner, entry, path + stepOf(name) + step);
  }
}

/** The values of a field with the step that leads to each from the field itself. */
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

/** `.parts`, or `["with blank"]` */
export const stepOf = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
