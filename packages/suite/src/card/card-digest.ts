import { createHash } from "node:crypto";
import type { JsonObject } from "@assay/protocol";

/**
 * SHA-256, in hexadecimal, of what a card says: its JSON without `signatures`, written as RFC 8785 writes it. Signing it anew
 * or writing its members in another order changes nothing.
 */
export const cardDigest = ({ signatures: _, ...card }: JsonObject): string =>
  createHash("sha256").update(canonicalText(card)).digest("hex");

/** Half of a pair, for which the RFC has no form, is written as its escape: a card that has one has a digest, too. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalText(inner)}`).join(",")}}`;
}
