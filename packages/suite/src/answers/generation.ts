import type { JsonObject } from "@assay/protocol";

/** Reads a generation: a decimal string, or a number. Undefined if there is none, as for 0, which means the same. */
export function generationOf(json: JsonObject | undefined): bigint | undefined {
  const value = json?.["generation"];
  const isWritten = typeof value === "string" ? /^\d{1,19}$/.test(value) : Number.isSafeInteger(value);
  const generation = isWritten ? BigInt(value as string | number) : 0n;
  return generation > 0n ? generation : undefined;
}
