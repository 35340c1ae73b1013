import { isBase64, isUtcTimestamp } from "../schemas/formats.ts";
import { inUtc } from "../schemas/timestamp.ts";

/** By the names that the older schemas use; `timestamp` is any ISO 8601 moment, with a zone or without. */
export const formats = {
  base64: isBase64,
  "utc-timestamp": isUtcTimestamp,
  timestamp: (text: string): boolean => inUtc(text) !== undefined,
};
