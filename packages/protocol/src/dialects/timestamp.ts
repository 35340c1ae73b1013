import { inUtc } from "../schemas/timestamp.ts";
import type { ReadingPlace } from "./place.ts";

/** Python agents of 0.1 write local time without a zone; it does not say which, so it is taken for UTC, and said. */
export function readTimestamp(text: string, place: ReadingPlace): string {
  const { utc, zoned } = inUtc(text)!;
  if (!zoned) place.note(`${JSON.stringify(text)} names no time zone; taken for UTC`);
  return utc;
}
