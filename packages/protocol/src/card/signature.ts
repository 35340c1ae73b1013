import { base64url, type CryptoKey, errors, FlattenedSign, flattenedVerify, type JWK, type KeyObject } from "jose";
import type { AgentCard, AgentCardSignature } from "../generated/model.ts";
import { isObject, type JsonObject } from "../json.ts";
import { bounded, limits } from "./bounds.ts";
import { canonicalJson, signedMembers, unknownMembers } from "./canonical.ts";
import { rawFromDer } from "./der.ts";
import { quote } from "./finding.ts";
import { candidatePayloads, type Payload } from "./payloads.ts";
import {
  type ProtectedHeader,
  readSignatureEntry,
  type SignatureEntry,
  type SignatureFault,
} from "./protected-header.ts";

export { suspectedForms, suspectedPayloads } from "./suspected-payloads.ts";
export { canonicalJson, type Payload, signedMembers, unknownMembers };

export type SignatureKey = CryptoKey | KeyObject | JWK;

export interface SigningOptions {
  readonly key: SignatureKey;
  readonly alg: "ES256" | "RS256" | "EdDSA";
  readonly kid: string;
  /** where verifiers find the public key, as a JWKS */
  readonly jku?: string;
  /** default: `JOSE` (8.4.2) */
  readonly typ?: string;
}

/** Signs the card as it will be served (P1). Existing signatures are not covered, so each signature is independent. */
export async function signCard(card: AgentCard, options: SigningOptions): Promise<AgentCardSignature> {
  const { key, alg, kid, jku, typ = "JOSE" } = options;
  // A card is always JSON; the interface merely lacks the index signature.
  const payload = canonicalJson(signedMembers(card as unknown as JsonObject, { unknown: "keep" }));
  const jws = await new FlattenedSign(utf8(payload))
    .setProtectedHeader({ alg, kid, typ, ...(jku !== undefined && { jku }) })
    .sign(key);
  return { protected: jws.protected!, signature: jws.signature };
}

/** The result for one signature. Code decides by `is` and `code`; `because` is for people. */
export type SignatureVerdict =
  | {
      is: "valid";
      header: ProtectedHeader;
      payload: string;
      reading: string;
      /** the encoding ends with `=`: lenient decoders accept it, and RFC 7515 does not */
      padded?: true;
    }
  /** computed and wrong, or the key does not fit the signature */
  | { is: "invalid"; code: "mismatch" | "key-unusable"; header: ProtectedHeader; because: string }
  | { is: "key-not-found"; code: KeyFault; header: ProtectedHeader; because: string }
  | {
      is: "malformed";
      code: SignatureFault | "der-encoded" | "no-canonical-form";
      header?: ProtectedHeader;
      because: string;
    }
  /** not computed, so it says nothing about the card */
  | {
      is: "not-examined";
      code: "unsupported-alg" | "unsupported-crit" | "card-beyond-limits" | "too-many-signatures";
      header?: ProtectedHeader;
      because: string;
    };

/** Reasons why no key is available. */
export type KeyFault =
  | "no-jku"
  | "jku-not-allowed"
  | "refused-by-guard"
  | "key-unreachable"
  | "unknown-key"
  | "ambiguous-key";

/** Thrown by a key resolver that knows why there is no key. */
export class KeyNotFound extends Error {
  override readonly name = "KeyNotFound";
  readonly code: KeyFault;

  constructor(code: KeyFault, because: string) {
    super(because);
    this.code = code;
  }
}

/**
 * Finds the key for a header; the caller decides where to look and whom to trust. Undefined means an unknown key.
 * `KeyNotFound` gives a reason, and any other error is passed on.
 */
export type ResolveKey = (header: ProtectedHeader) => Promise<SignatureKey | undefined>;

/**
 * Returns one verdict per entry of `signatures`, in order, for the card exactly as served. `more` payloads are tried if
 * no usual reading matches, to test a suspicion about the signer.
 */
export async function verifyCard(
  card: unknown,
  resolveKey: ResolveKey,
  more: readonly Payload[] = [],
): Promise<SignatureVerdict[]> {
  if (!isObject(card) || !Array.isArray(card["signatures"])) return [];
  const usual = payloadsOf(card as JsonObject);
  const payloads = "because" in usual ? usual : [...usual, ...more];
  const verdicts: SignatureVerdict[] = [];
  for (const [index, signature] of card["signatures"].entries()) {
    const entry = readSignatureEntry(signature);
    if (index >= limits.signatures) {
      const because = `only the first ${limits.signatures} signatures are checked`;
      verdicts.push({ is: "not-examined", code: "too-many-signatures", because });
    } else if (entry.is === "malformed") {
      verdicts.push({ is: "malformed", code: entry.code, because: entry.because });
    } else if ("because" in payloads) verdicts.push({ ...payloads, header: entry.header });
    else verdicts.push(await judge(entry, payloads, resolveKey));
  }
  return verdicts;
}

type NoPayload =
  | { is: "not-examined"; code: "card-beyond-limits"; because: string }
  | { is: "malformed"; code: "no-canonical-form"; because: string };

/**
 * Returns the candidate payloads, or the reason why there are none: the card exceeds our limits, or RFC 8785 has no
 * form for it.
 */
function payloadsOf(card: JsonObject): Payload[] | NoPayload {
  const [cut] = bounded(card).findings;
  if (cut) return { is: "not-examined", code: "card-beyond-limits", because: cut.message };
  try {
    return candidatePayloads(card);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return {
      is: "malformed",
      code: "no-canonical-form",
      because: `the card has no canonical form by RFC 8785: ${reason}`,
    };
  }
}

type Readable = Extract<SignatureEntry, { is: "readable" }>;

const verifiable = /^(?:(?:ES|RS|PS)(?:256|384|512)|EdDSA|Ed25519)$/;

async function judge(entry: Readable, payloads: Payload[], resolveKey: ResolveKey): Promise<SignatureVerdict> {
  const { header, bytes } = entry;
  if (!verifiable.test(header.alg)) {
    return {
      is: "not-examined",
      code: "unsupported-alg",
      header,
      because: `Assay does not support ${quote(header.alg)}`,
    };
  }
  if (entry.critical) {
    const because = `the signature requires header extensions that Assay does not support: ${entry.critical.map(quote).join(", ")}`;
    return { is: "not-examined", code: "unsupported-crit", header, because };
  }
  const key = await keyOrFault(header, resolveKey);
  if (key instanceof KeyNotFound) return { is: "key-not-found", code: key.code, header, because: key.message };
  // EdDSA includes Ed448 (RFC 8037), which jose does not verify.
  if (header.alg === "EdDSA" && "crv" in key && key.crv === "Ed448")
    return { is: "not-examined", code: "unsupported-alg", header, because: "Assay does not support Ed448 keys" };

  try {
    const match = await firstMatch(entry, bytes, payloads, key);
    if (match) {
      const { name: payload, reading } = match;
      return { is: "valid", header, payload, reading, ...(entry.padded && { padded: true as const }) };
    }

    const raw = rawFromDer(header.alg, bytes);
    if (!raw) {
      const because = "the signature does not match the card with this key, in any reading of the card";
      return { is: "invalid", code: "mismatch", header, because };
    }
    const read = (await firstMatch(entry, raw, payloads, key)) ? "it verifies" : "it does not verify either";
    const because = `the ECDSA signature is DER-encoded; JWS requires R||S (RFC 7518 §3.4). Converted to R||S, ${read}`;
    return { is: "malformed", code: "der-encoded", header, because };
  } catch (cause) {
    // jose throws if the key type does not fit `alg`, or an RSA key is too short.
    const because = cause instanceof Error ? cause.message : String(cause);
    return { is: "invalid", code: "key-unusable", header, because };
  }
}

async function keyOrFault(header: ProtectedHeader, resolveKey: ResolveKey): Promise<SignatureKey | KeyNotFound> {
  try {
    return (await resolveKey(header)) ?? new KeyNotFound("unknown-key", "the key of the signature is unknown");
  } catch (error) {
    if (error instanceof KeyNotFound) return error;
    throw error;
  }
}

async function firstMatch(entry: Readable, bytes: Uint8Array, payloads: Payload[], key: SignatureKey) {
  for (const payload of payloads) {
    if (await matches(entry, bytes, payload.text, key)) return payload;
  }
  return undefined;
}

async function matches(entry: Readable, bytes: Uint8Array, payload: string, key: SignatureKey): Promise<boolean> {
  const jws = {
    protected: entry.protected,
    payload: base64url.encode(payload),
    signature: base64url.encode(bytes),
  };
  try {
    await flattenedVerify(jws, key, { algorithms: [entry.header.alg] });
    return true;
  } catch (cause) {
    if (cause instanceof errors.JWSSignatureVerificationFailed) return false;
    throw cause;
  }
}

/** jose encodes strings as UTF-8 before base64url. This package has no types for TextEncoder. */
const utf8 = (text: string): Uint8Array => base64url.decode(base64url.encode(text));
