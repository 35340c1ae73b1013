import { isObject, type JsonObject, type JsonValue } from "../json.ts";

/**
 * Data that is not an object. 1.0 allows any JSON in a data part, older dialects only objects. By a convention of
 * Python and JS, the value is sent as `{"value": x}`, and the part's metadata has `data_part_compat`.
 */
const mark = "data_part_compat";

export interface Structured {
  readonly data: JsonObject;
  readonly metadata?: JsonObject;
}

export function writeStructured(data: JsonValue, metadata: JsonObject | undefined): Structured {
  if (!isObject(data)) return { data: { value: data }, metadata: { ...metadata, [mark]: true } };
  return metadata ? { data, metadata } : { data };
}

export function readStructured({ data, metadata }: Structured): { data: JsonValue; metadata?: JsonObject } {
  if (metadata?.[mark] !== true || !Object.hasOwn(data, "value")) return metadata ? { data, metadata } : { data };
  const { [mark]: _, ...rest } = metadata;
  return Object.keys(rest).length ? { data: data["value"]!, metadata: rest } : { data: data["value"]! };
}
