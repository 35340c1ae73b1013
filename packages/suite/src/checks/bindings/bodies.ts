import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import { bodyJson, type HeaderPairs } from "@assay/wire";
import type { Call } from "../../define/call.ts";

/** An answer as it came, before any binding made something of it: rules about form read the bytes. */

export const headerIn = (headers: HeaderPairs, name: string): string | undefined =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1];

/** The answer, unless it never came or was broken off: then there is nothing to say about its form. */
export function responseOf({ exchange: { failure, http } }: Call) {
  return failure ? undefined : http.response;
}

/** The media type of an answer without its parameters; empty where it names none. */
export function mediaTypeOf({ exchange }: Call): string {
  const type = headerIn(exchange.http.response?.headers ?? [], "content-type") ?? "";
  return type.split(";", 1)[0]!.trim().toLowerCase();
}

export const isEventStream = (call: Call): boolean => call.exchange.http.sse !== undefined;

export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

/** The JSON that a body is; undefined where it is none. */
export function jsonOf(body: Uint8Array): JsonValue | undefined {
  try {
    return bodyJson(body);
  } catch {
    return undefined;
  }
}

/** The object that an answer consists of. */
export function bodyOf(call: Call): JsonObject | undefined {
  const response = responseOf(call);
  if (!response || isEventStream(call)) return undefined;
  const json = jsonOf(response.body);
  // What was parsed from JSON holds JSON.
  return isObject(json) ? (json as JsonObject) : undefined;
}

/** Decided before the binding is reached, or by something in front of it: in whichever form it likes. */
const beforeTheBinding = [401, 402, 403, 407, 408, 413, 414, 421, 429, 431, 502, 503, 504];

export const isBeforeTheBinding = (status: number): boolean => beforeTheBinding.includes(status);
