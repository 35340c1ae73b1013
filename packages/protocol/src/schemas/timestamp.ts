import { isUtcTimestamp } from "./formats.ts";

const iso = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * An ISO 8601 moment as 1.0 writes it, or undefined when the text names none. Offsets are whole minutes, so the
 * fraction stays as it was written, up to protobuf's nine digits.
 */
export function inUtc(text: string): { utc: string; zoned: boolean } | undefined {
  const match = iso.exec(text);
  if (!match) return undefined;
  const [, date, time, digits = "", zone = ""] = match;
  const fraction = digits.slice(0, 10);
  const local = `${date}T${time}`;
  // Date.parse would roll February 30 over, so the local date has to exist first.
  if (!isUtcTimestamp(`${local}Z`)) return undefined;
  if (zone === "" || zone === "Z" || zone === "z") return { utc: `${local}${fraction}Z`, zoned: zone !== "" };
  const moment = Date.parse(local + zone.replace(/(\d\d)(\d\d)$/, "$1:$2"));
  if (Number.isNaN(moment)) return undefined;
  return { utc: new Date(moment).toISOString().replace(".000Z", `${fraction}Z`), zoned: true };
}
