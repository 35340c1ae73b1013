import type { JsonValue } from "../json.ts";
import { type OlderWire, validateDialect } from "./check.ts";
import type { Reading } from "./dialect.ts";
import type { DialectExchange } from "./exchange.ts";
import { type ReadingNote, type ReadingPlace, startOf } from "./place.ts";

/** One payload of a dialect: its schema definition, and the translation to and from the canonical model. */
export interface Codec<Canonical, Shape = unknown> {
  /** null: accept anything */
  readonly definition: string | null;
  mend(json: unknown, place: ReadingPlace, exchange: DialectExchange): unknown;
  /** called only with input that passed the schema */
  read(json: Shape, exchange: DialectExchange, place: ReadingPlace): Canonical;
  write(value: Canonical, exchange: DialectExchange): JsonValue;
}

/** The reading half, which is all that stream frames share with other payloads. */
export type Reader<Canonical> = Omit<Codec<Canonical>, "write">;

/** Tries strict reading first, so a valid document is not copied. */
export function readWith<Canonical>(
  wire: OlderWire,
  reader: Reader<Canonical>,
  json: unknown,
  exchange: DialectExchange,
): Reading<Canonical> {
  const notes: ReadingNote[] = [];
  const place = startOf(notes);
  let checked = json;
  if (reader.definition !== null && validateDialect(wire, reader.definition, json).length) {
    checked = reader.mend(json, place, exchange);
    const violations = validateDialect(wire, reader.definition, checked);
    if (violations.length) return notes.length ? { violations, notes } : { violations };
  }
  const value = reader.read(checked, exchange, place);
  return notes.length ? { value, notes } : { value };
}
