import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import { bodyJson, type Exchange, eventJson, type HeaderPairs } from "@assay/wire";
import { asObject } from "../../answers/loose-json.ts";
import type { Call } from "../../define/call.ts";

/** Reads raw responses, because rules about form judge the bytes. */

export const headerIn = (headers: HeaderPairs, name: string): string | undefined =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1];

/** Returns the response; undefined if it is missing or incomplete, because then its form cannot be judged. */
export function responseOf({ exchange: { failure, http } }: Call) {
  return failure ? undefined : http.response;
}

/** Returns the media type of a response without its parameters; empty if there is none. */
export function mediaTypeOf({ exchange }: Call): string {
  const type = headerIn(exchange.http.response?.headers ?? [], "content-type") ?? "";
  return type.split(";", 1)[0]!.trim().toLowerCase();
}

export const isEventStream = (call: Call): boolean => call.exchange.http.sse !== undefined;

export { textOf } from "@assay/wire";

/** Returns the JSON of a body; undefined if it is not JSON. */
export function jsonOf(body: Uint8Array): JsonValue | undefined {
  try {
    return bodyJson(body);
  } catch {
    return undefined;
  }
}

type StreamEvent = NonNullable<Exchange["http"]["sse"]>["events"][number];

/** Returns the object in an event of a stream; undefined if its data is something else. */
export function objectIn(event: StreamEvent): JsonObject | undefined {
  try {
    return asObject(eventJson(event));
  } catch {
    return undefined;
  }
}

/** Returns the object in the body of a response. */
export function bodyOf(call: Call): JsonObject | undefined {
  const response = responseOf(call);
  if (!response || isEventStream(call)) return undefined;
  const json = jsonOf(response.body);
  // Parsed JSON contains only JSON.
  return isObject(json) ? (json as JsonObject) : undefined;
}

/** Statuses that something in front of the binding may return, in any form. */
const beforeTheBinding = [401, 402, 403, 407, 408, 413, 414, 421, 429, 431, 502, 503, 504];

export const isBeforeTheBinding = (status: number): boolean => beforeTheBinding.includes(status);
