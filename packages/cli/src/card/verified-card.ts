import {
  type ResolveKey,
  type SignatureVerdict,
  suspectedForms,
  suspectedPayloads,
  unknownMembers,
  verifyCard,
} from "@assay/protocol/signature";
import type { SourcedCard } from "./card-source.ts";

/** The result for one signature of a card. Code decides by `is` and `code`; `because` is for people. */
export interface VerifiedSignature {
  /** `unknown`: no signature was checked, so the card may be genuine */
  readonly is: "verified" | "failed" | "unknown";
  readonly code: string;
  readonly because: string;
  readonly kid?: string;
  readonly alg?: string;
  readonly jku?: string;
  /** places in the card that the signature does not cover */
  readonly unsigned?: readonly string[];
}

/** The result for a card: one signature that a trusted key verifies is enough, as during a key rotation. */
export interface VerifiedCard {
  readonly is: VerifiedSignature["is"];
  readonly signatures: readonly VerifiedSignature[];
}

/** Verifies the signatures of a card with the keys that the caller trusts. */
export async function verifiedCard(card: Omit<SourcedCard, "from">, resolveKey: ResolveKey): Promise<VerifiedCard> {
  const verdicts = await verifyCard(card.json, resolveKey, suspectedPayloads(card.json));
  const signatures = verdicts.map((verdict) => resultOf(verdict, card));
  const has = (is: VerifiedSignature["is"]): boolean => signatures.some((each) => each.is === is);
  // A card without a signature fails, because nothing proves its author.
  return { is: has("verified") ? "verified" : has("unknown") && !has("failed") ? "unknown" : "failed", signatures };
}

type Judged = Pick<VerifiedSignature, "is" | "code" | "because" | "unsigned">;

const failed = (code: string, because: string): Judged => ({ is: "failed", code, because });

function resultOf(verdict: SignatureVerdict, card: Omit<SourcedCard, "from">): VerifiedSignature {
  const { header } = verdict;
  const named = header && {
    kid: header.kid,
    alg: header.alg,
    ...(header.jku !== undefined && { jku: header.jku }),
  };
  return { ...judged(verdict, card), ...named };
}

function judged(verdict: SignatureVerdict, card: Omit<SourcedCard, "from">): Judged {
  switch (verdict.is) {
    case "valid":
      return overPayload(verdict, card);
    case "invalid":
      return verdict.code === "mismatch"
        ? failed(
            verdict.code,
            "The signature does not match. The card changed after signing, another key signed it, or the signed text was not canonical.",
          )
        : failed(verdict.code, `The key does not fit the signature: ${verdict.because}.`);
    case "malformed":
      return failed(verdict.code, `The signature is not valid: ${verdict.because}.`);
    case "key-not-found":
      // A key set without the key means failure. A key set that Assay could not read means nothing.
      return {
        is: verdict.code === "unknown-key" || verdict.code === "ambiguous-key" ? "failed" : "unknown",
        code: verdict.code,
        because: `The key is not available: ${verdict.because}.`,
      };
    case "not-examined":
      return { is: "unknown", code: verdict.code, because: `Assay did not verify the signature: ${verdict.because}.` };
  }
}

type Valid = Extract<SignatureVerdict, { is: "valid" }>;

/**
 * Returns the result for a valid signature over another payload than the served card: a failure, unless the
 * specification is ambiguous there.
 */
function overPayload({ payload, reading, padded }: Valid, { json, duplicate }: Omit<SourcedCard, "from">): Judged {
  if (duplicate !== undefined)
    return failed(
      "no-canonical-form",
      `The card contains the member ${JSON.stringify(duplicate)} twice in one object, which RFC 8785 forbids. Clients may read another value than the signed one.`,
    );
  if (padded) return failed("no-base64url", "The signature is padded with `=`, which RFC 7515 forbids.");
  if (payload === suspectedForms.signaturesKept)
    return failed(payload, "The signer left an empty `signatures` list in the signed text. Remove the member first.");
  if (payload === suspectedForms.flagsFilledIn)
    return failed(payload, "The signer added capabilities to the signed text that the served card does not have.");
  if (payload.startsWith(suspectedForms.addedLater)) {
    const member = payload.slice(suspectedForms.addedLater.length);
    return failed("added-later", `Someone added \`${member}\` after signing. The rest of the card is as signed.`);
  }
  if (payload === "P3-python" && /[^\x20-\x7e]/.test(JSON.stringify(json)))
    return failed(
      "escaped-characters",
      "The signer escaped non-ASCII characters in the signed text. RFC 8785 does not.",
    );
  if (payload === "P1") return { is: "verified", code: "verified", because: "The signature matches the card." };
  const unsigned = payload === "P2" || payload === "P3-python" ? unknownMembers(json) : [];
  if (unsigned.length)
    return {
      is: "verified",
      code: "other-reading",
      because: `The signature does not cover members that A2A 1.0 does not define: ${listed(unsigned)}. Anyone may have added them, and some clients reject the card.`,
      unsigned,
    };
  return {
    is: "verified",
    code: "other-reading",
    because: `The signature matches the card, but only over ${reading}. Clients that read section 8.4.1 differently reject it.`,
  };
}

const listed = (places: readonly string[]): string =>
  places.slice(0, 5).join(", ") + (places.length > 5 ? ` and ${places.length - 5} more` : "");

/** Returns what the result means for someone who trusts the key. */
export function conclusionOf({ is, signatures }: VerifiedCard): string {
  if (signatures.length === 0) return "The card has no signature.";
  if (is === "failed") return "The card is not verified. Do not trust it on the strength of a signature.";
  if (is === "unknown") return "Cannot tell if the card is genuine.";
  return signatures.some((each) => each.is === "verified" && !each.unsigned)
    ? "The card is genuine: a key that you trust signed it."
    : "A key that you trust signed the card, except for the members named above.";
}
