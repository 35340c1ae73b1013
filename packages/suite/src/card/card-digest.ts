import { createHash } from "node:crypto";
import type { JsonObject } from "@assay/protocol";

/**
 * Returns the hexadecimal SHA-256 of a card without `signatures`, in the canonical form of RFC 8785. A new signature or
 * another order of members does not change it.
 */
export const cardDigest = ({ signatures: _, ...card }: JsonObject): string =>
  createHash("sha256").update(canonicalText(card)).digest("hex");

/** Writes a lone surrogate, for which the RFC has no form, as its escape, so that every card has a digest. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalText(inner)}`).join(",")}}`;
}
