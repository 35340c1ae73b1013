import type { JsonObject, JsonValue } from "@assay/protocol";
import { canonicalJson, signedMembers } from "@assay/protocol/signature";
import { type Divergence, full } from "../definition/divergence.ts";
import { edited, without } from "../mutation/json.ts";
import { canonical, type Signing, signAnew } from "../mutation/signing.ts";

/**
 * Encodes an ASN.1 integer: big-endian, without leading zeros, and with one more if it would look negative.
 */
function derInteger(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const digits = bytes.subarray(start);
  const padded = digits[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), digits]) : digits;
  return Buffer.concat([Buffer.of(0x02, padded.length), padded]);
}

/** Converts R and S from the JWS format to the default format of OpenSSL. */
function toDer(signature: string): string {
  const raw = Buffer.from(signature, "base64url");
  const numbers = Buffer.concat([derInteger(raw.subarray(0, 32)), derInteger(raw.subarray(32))]);
  return Buffer.concat([Buffer.of(0x30, numbers.length), numbers]).toString("base64url");
}

const present = (card: JsonObject): JsonObject => signedMembers(card, { unknown: "keep" });

/** Escapes non-ASCII characters, as many JSON libraries do. */
const ascii = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Removes matching values, from the inside out. */
function pruned(json: JsonValue, gone: (value: JsonValue) => boolean): JsonValue {
  if (Array.isArray(json)) return json.map((entry) => pruned(entry, gone)).filter((entry) => !gone(entry));
  if (typeof json !== "object" || json === null) return json;
  const members = Object.entries(json).map(([name, value]): [string, JsonValue] => [name, pruned(value, gone)]);
  return Object.fromEntries(members.filter(([, value]) => !gone(value)));
}

const isDefault = (value: JsonValue): boolean =>
  value === false ||
  value === "" ||
  value === 0 ||
  (typeof value === "object" && Object.keys(value ?? {}).length === 0);

/** Makes a signature with its own key. */
const signs = (id: string, does: string, signing: Signing, base = "full"): Divergence => ({
  id,
  base,
  does,
  differs: () => ({ layers: { http: signAnew(signing) } }),
});

export const signatureMutants: readonly Divergence[] = [
  signs("SIG-002.decoded", "The protected header of a card signature is a JSON object instead of an encoded string.", {
    entry: (entry) => ({
      ...entry,
      protected: JSON.parse(Buffer.from(String(entry["protected"]), "base64url").toString()) as JsonObject,
    }),
  }),

  signs("SIG-003.unprotected", "The signature of the card has alg only in the unprotected header.", {
    header: (header) => without(header, "alg"),
    entry: (entry) => ({ ...entry, header: { alg: "ES256" } }),
  }),

  signs("SIG-004.no-kid", "The protected header of the card signature has no kid.", {
    header: (header) => without(header, "kid"),
  }),

  signs("SIG-005.jwt", "The signature of the card has typ JWT instead of JOSE.", {
    header: (header) => ({ ...header, typ: "JWT" }),
  }),

  signs("SIG-006.lost-key", "The JWKS at jku does not contain the key that signs the card.", {
    published: "assay-mutant-2",
  }),

  signs("SIG-007.escaped", "The signer escapes non-ASCII characters in the card as \\uXXXX.", {
    card: (card) => edited(card, "provider.organization", "Prüfstand"),
    payload: (card) => ascii(canonical(card)),
  }),

  signs("SIG-007.sorted-not", "Signs the card as printed, without sorting its members.", {
    payload: (card) => JSON.stringify(card),
  }),

  signs("SIG-008.empty-list", "The signer signs the card with an empty list of signatures in it.", {
    payload: (card) => canonicalJson({ ...present(card), signatures: [] }),
  }),

  signs(
    "SIG-009.filled-in",
    "The signer signs optional flags as false that are not on the card.",
    {
      card: (card) => edited(card, "capabilities.streaming", undefined),
      payload: (card) => canonicalJson(edited(present(card), "capabilities.streaming", false)),
    },
    "minimal",
  ),

  signs(
    "SIG-010.drops-false",
    "The signer omits flags that are false from the payload.",
    { payload: (card) => canonicalJson(pruned(card, isDefault)) },
    "minimal",
  ),

  signs("SIG-011.drops-empty", "The signer omits empty required members from the payload.", {
    card: (card) => edited(card, "description", ""),
    payload: (card) => canonicalJson(pruned(card, isDefault)),
  }),

  signs("SIG-012.keeps-defaults", "The signer signs optional members of the card that have only their default.", {
    card: (card) => edited(card, "capabilities.extensions.0.required", false),
    payload: (card) => canonicalJson(card),
  }),

  full("SIG-013.der", "An ES256 signature of the card is DER-encoded.", {
    card: (card) => ({
      ...card,
      signatures: (card["signatures"] as JsonObject[]).map((entry) => ({
        ...entry,
        signature: toDer(String(entry["signature"])),
      })),
    }),
  }),

  full("SIG-014.added-later", "The agent adds documentationUrl to its card after signing it.", {
    card: (card, baseUrl) => ({ ...card, documentationUrl: `${baseUrl}/docs` }),
  }),

  signs("SIG-015.chained", "The second signature of the card covers the card with the first signature in it.", {
    more: (first, card, signer) => [signer(canonicalJson({ ...present(card), signatures: [first] }))],
  }),
];
