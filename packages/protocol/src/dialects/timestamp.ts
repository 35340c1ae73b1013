import { inUtc } from "../schemas/timestamp.ts";
import type { ReadingPlace } from "./place.ts";

/** Python agents of 0.1 write local time without a zone. It is read as UTC, with a note. */
export function readTimestamp(text: string, place: ReadingPlace): string {
  const { utc, zoned } = inUtc(text)!;
  if (!zoned) place.note(`${JSON.stringify(text)} has no time zone; assumed to be UTC`);
  return utc;
}
