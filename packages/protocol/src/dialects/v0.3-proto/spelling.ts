import { isObject } from "../../json.ts";

/**
 * The third spelling of 0.3 over HTTP. Its text can be read as "the JSON of JSON-RPC, without the envelope", and .NET
 * previews and JS 0.3.6 wrote it that way. A ProtoJSON reader silently drops the parts of such a message, so it must be
 * recognised first. Each function returns the payload as v0.3 reads it, or undefined if it is ProtoJSON.
 */
export function schemaRequest(json: unknown): unknown {
  return isObject(json) && isSpelledBySchema(json["message"]) ? json : undefined;
}

/** Finds the bare object with its `kind`, which may be inside the ProtoJSON wrapper. */
export function schemaAnswer(json: unknown): unknown {
  if (!isObject(json)) return undefined;
  const inner = json["task"] ?? json["message"];
  return [json, inner].find((candidate) => isObject(candidate) && typeof candidate["kind"] === "string");
}

/** Cards differ only in their security members. */
export function schemaCard(json: unknown): unknown {
  if (!isObject(json)) return undefined;
  const schemes = Object.values(isObject(json["securitySchemes"]) ? json["securitySchemes"] : {});
  const security = Array.isArray(json["security"]) ? json["security"] : [];
  const flat = schemes.some((scheme) => isObject(scheme) && typeof scheme["type"] === "string");
  return flat || security.some((entry) => isObject(entry) && Object.values(entry).some(Array.isArray))
    ? json
    : undefined;
}

const isSpelledBySchema = (message: unknown): boolean =>
  isObject(message) && message["content"] === undefined && (message["kind"] ?? message["parts"]) !== undefined;

export const schemaSpelling = "is written as in JSON-RPC (kind, parts); HTTP+JSON of 0.3 is ProtoJSON of a2a.v1";
