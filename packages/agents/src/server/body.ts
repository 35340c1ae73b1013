import { isUtf8 } from "node:buffer";
import { A2AError, type JsonValue, parseJson } from "@assay/protocol/core";
import type { WireRequest } from "@assay/wire/server";

/** Returns the media type of a request without its parameters, in lower case. */
export function mediaTypeOf(request: WireRequest): string {
  const type = request.headers["content-type"] ?? "";
  if (type === "application/json") return type;
  return type.split(";", 1)[0]!.trim().toLowerCase();
}

/** Parses the body as JSON: valid UTF-8, with limited nesting. */
export function parseBody(body: Buffer): JsonValue {
  if (!isUtf8(body)) throw new A2AError("Parse", "Parse error: the body is not valid UTF-8");
  return parseJson(body.toString("utf8"));
}

export const wrongMediaType = (type: string, accepted: readonly string[]): A2AError =>
  new A2AError(
    "ContentTypeNotSupported",
    `The body needs the header Content-Type: ${accepted.join(" or ")}, got ${type === "" ? "none" : type.slice(0, 80)}`,
  );
