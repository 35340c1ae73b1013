// Timestamps of protobuf start with the year 1.
const utc = /^(?!0000)\d{4}-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?Z$/;

/** Returns true if a text is an existing moment in ISO 8601, in UTC with `Z` and 0 to 9 fractional digits (§5.6.1). */
export function isUtcTimestamp(text: string): boolean {
  const match = utc.exec(text);
  if (!match) return false;
  const time = Date.parse(text.replace(/(\.\d{3})\d+Z$/, "$1Z"));
  // Date.parse turns February 30 into March 2, so compare the day.
  return !Number.isNaN(time) && new Date(time).toISOString().slice(8, 10) === match[2];
}

/** Checks for standard padded base64. Uses a loop, because a regular expression recurses on megabytes. */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  let end = text.length;
  if (text.endsWith("==")) end -= 2;
  else if (text.endsWith("=")) end -= 1;
  for (let i = 0; i < end; i++) if (!isBase64Code(text.charCodeAt(i))) return false;
  return true;
}

const isBase64Code = (code: number): boolean =>
  (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || (code >= 0x2f && code <= 0x39) || code === 0x2b;

/** Formats by their names in the schema. */
export const formats = { base64: isBase64, "utc-timestamp": isUtcTimestamp };
