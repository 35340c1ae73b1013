import type { JsonObject } from "@assay/protocol";
import { mutant } from "../mutant.ts";

/** An integer of ASN.1: big-endian, without leading zeros, and one more where it would look negative. */
function derInteger(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const digits = bytes.subarray(start);
  const padded = digits[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), digits]) : digits;
  return Buffer.concat([Buffer.of(0x02, padded.length), padded]);
}

/** R and S side by side, as JWS has them, become what OpenSSL writes by default. */
function toDer(signature: string): string {
  const raw = Buffer.from(signature, "base64url");
  const numbers = Buffer.concat([derInteger(raw.subarray(0, 32)), derInteger(raw.subarray(32))]);
  return Buffer.concat([Buffer.of(0x30, numbers.length), numbers]).toString("base64url");
}

export const signatureMutants = [
  mutant("SIG-013.der", "full", "Signs its card with ES256 and writes the signature in DER.", {
    card: (card) => ({
      ...card,
      signatures: (card["signatures"] as JsonObject[]).map((entry) => ({
        ...entry,
        signature: toDer(String(entry["signature"])),
      })),
    }),
  }),

  mutant("SIG-014.added-later", "full", "Adds a documentationUrl to its card after signing it.", {
    card: (card, baseUrl) => ({ ...card, documentationUrl: `${baseUrl}/docs` }),
  }),
];
