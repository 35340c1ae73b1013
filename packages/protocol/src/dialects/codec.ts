import type { JsonValue } from "../json.ts";
import { type OlderWire, validateDialect } from "./check.ts";
import type { Reading } from "./dialect.ts";
import type { Exchange } from "./exchange.ts";
import { type Finding, type Place, startOf } from "./place.ts";

/** One payload of a dialect: its definition in the schema, and the translation from and to the canonical model. */
export interface Codec<Canonical, Shape = unknown> {
  /** null: whatever comes is welcome */
  readonly definition: string | null;
  mend(json: unknown, place: Place, exchange: Exchange): unknown;
  /** gets only what the schema has passed */
  read(json: Shape, exchange: Exchange, place: Place): Canonical;
  write(value: Canonical, exchange: Exchange): JsonValue;
}

/** The reading half, which is all that a stream's frames share with other payloads. */
export type Reader<Canonical> = Omit<Codec<Canonical>, "write">;

/** Strict first: a document that needs no mending is not copied. */
export function readWith<Canonical>(
  wire: OlderWire,
  reader: Reader<Canonical>,
  json: unknown,
  exchange: Exchange,
): Reading<Canonical> {
  const findings: Finding[] = [];
  const place = startOf(findings);
  let checked = json;
  if (reader.definition !== null && validateDialect(wire, reader.definition, json).length) {
    checked = reader.mend(json, place, exchange);
    const violations = validateDialect(wire, reader.definition, checked);
    if (violations.length) return findings.length ? { violations, findings } : { violations };
  }
  const value = reader.read(checked, exchange, place);
  return findings.length ? { value, findings } : { value };
}
