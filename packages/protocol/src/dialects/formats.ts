import { isBase64, isUtcTimestamp } from "../schemas/formats.ts";
import { inUtc } from "../schemas/timestamp.ts";

/** Formats by their names in the older schemas. `timestamp` is any ISO 8601 timestamp, with or without a zone. */
export const formats = {
  base64: isBase64,
  "utc-timestamp": isUtcTimestamp,
  timestamp: (text: string): boolean => inUtc(text) !== undefined,
};
