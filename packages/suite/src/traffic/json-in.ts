import { type JsonValue, parseJson } from "@assay/protocol";

/** What bytes hold, where that is JSON. */
export function jsonIn(bytes: Uint8Array): JsonValue | undefined {
  try {
    return parseJson(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
