import { isUtcTimestamp } from "./formats.ts";

const iso = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Converts an ISO 8601 timestamp to the form of 1.0. Returns undefined if the text is not one. Offsets are whole
 * minutes, so the fraction stays as written, up to protobuf's nine digits.
 */
export function inUtc(text: string): { utc: string; zoned: boolean } | undefined {
  const match = iso.exec(text);
  if (!match) return undefined;
  const [, date, time, digits = "", zone = ""] = match;
  const fraction = digits.slice(0, 10);
  const local = `${date}T${time}`;
  // Date.parse would turn February 30 into March 2, so first check that the local date exists.
  if (!isUtcTimestamp(`${local}Z`)) return undefined;
  if (zone === "" || zone === "Z" || zone === "z") return { utc: `${local}${fraction}Z`, zoned: zone !== "" };
  const moment = Date.parse(local + zone.replace(/(\d\d)(\d\d)$/, "$1:$2"));
  if (Number.isNaN(moment)) return undefined;
  return { utc: new Date(moment).toISOString().replace(".000Z", `${fraction}Z`), zoned: true };
}
