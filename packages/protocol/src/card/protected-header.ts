import { base64url, decodeProtectedHeader } from "jose";
import { isObject } from "../json.ts";
import { quote } from "./finding.ts";

/** The signer's statements about the signature, protected by the signature itself. */
export interface ProtectedHeader {
  readonly alg: string;
  readonly kid: string;
  readonly typ?: string;
  readonly jku?: string;
}

/** Reasons why a signature is unreadable. */
export type SignatureFault =
  | "signature-no-object"
  | "no-base64url"
  | "malformed-header"
  | "no-alg"
  | "alg-none"
  | "alg-symmetric"
  | "no-kid";

/** One parsed entry of `signatures`: its header and bytes, or the fault and the rule it breaks. */
export type SignatureEntry =
  | {
      readonly is: "readable";
      readonly protected: string;
      readonly header: ProtectedHeader;
      readonly bytes: Uint8Array;
      /** RFC 7515 omits `=`, but padded text still decodes */
      readonly padded: boolean;
      /** header extensions that a verifier must understand (`crit`) */
      readonly critical?: readonly string[];
    }
  | { readonly is: "malformed"; readonly code: SignatureFault; readonly because: string; readonly rule: string };

const malformed = (rule: string, code: SignatureFault, because: string): SignatureEntry => ({
  is: "malformed",
  code,
  because,
  rule,
});

export function readSignatureEntry(entry: unknown): SignatureEntry {
  if (!isObject(entry))
    return malformed("SIG-002", "signature-no-object", `the signature is ${quote(entry)}, not an object`);
  for (const member of ["protected", "signature"]) {
    const text = entry[member];
    if (typeof text !== "string") {
      return malformed("SIG-002", "no-base64url", `\`${member}\` is ${quote(text)}, not a base64url string`);
    }
    if (!isBase64url(text))
      return malformed("SIG-002", "no-base64url", `\`${member}\` is not base64url: ${quote(text)}`);
  }
  // The loop above has checked that both are strings.
  const { protected: encoded, signature } = entry as { protected: string; signature: string };

  const claims = decodeHeader(encoded);
  if (!claims) return malformed("SIG-003", "malformed-header", "`protected` does not decode to a JSON object");
  const { alg, kid, typ, jku } = claims;
  if (typeof alg !== "string" || !alg) return malformed("SIG-003", "no-alg", "the protected header has no `alg`");
  if (alg.toLowerCase() === "none") return malformed("SIG-003", "alg-none", '`alg` is "none": nothing was signed');
  if (/^HS\d/.test(alg)) {
    return malformed(
      "SIG-003",
      "alg-symmetric",
      `\`alg\` is ${quote(alg)}, a shared secret: anyone who can verify the signature can also forge it`,
    );
  }
  if (typeof kid !== "string" || !kid) return malformed("SIG-004", "no-kid", "the protected header has no `kid`");
  const { header: unprotected } = entry as { readonly header?: unknown };
  const critical = claims["crit"];
  const fault = critFault(claims) ?? sharedName(claims, isObject(unprotected) ? unprotected : {});
  if (fault) return malformed("SIG-003", "malformed-header", fault);
  return {
    is: "readable",
    protected: encoded,
    header: { alg, kid, ...(typeof typ === "string" && { typ }), ...(typeof jku === "string" && { jku }) },
    bytes: base64url.decode(unpadded(signature)),
    padded: encoded.endsWith("=") || signature.endsWith("="),
    // critFault has checked that it is a list of strings.
    ...(critical !== undefined && { critical: critical as readonly string[] }),
  };
}

/** RFC 7515 §4.1.11: `crit` lists names of the protected header. */
function critFault(claims: Record<string, unknown>): string | undefined {
  const { crit } = claims;
  if (crit === undefined) return undefined;
  const isList = Array.isArray(crit) && crit.length > 0 && crit.every((name) => typeof name === "string");
  if (!isList) return "`crit` is not a list of at least one name";
  const missing = crit.find((name) => !Object.hasOwn(claims, name));
  return missing === undefined ? undefined : `\`crit\` names ${quote(missing)}, which the protected header lacks`;
}

/** RFC 7515 §4: a name is in one of the two headers, and `crit` only in the protected one. */
function sharedName(claims: Record<string, unknown>, unprotected: Record<string, unknown>): string | undefined {
  const shared = Object.keys(unprotected).find((name) => Object.hasOwn(claims, name));
  if (shared !== undefined) return `${quote(shared)} is both in \`protected\` and in \`header\``;
  return Object.hasOwn(unprotected, "crit") ? "`crit` is in `header`, which the signature does not protect" : undefined;
}

function decodeHeader(encoded: string): Record<string, unknown> | undefined {
  try {
    return { ...decodeProtectedHeader({ protected: unpadded(encoded) }) };
  } catch {
    return undefined;
  }
}

const unpadded = (text: string): string => text.replace(/={1,2}$/, "");

/** Stricter than decoders, which differ: rejects whitespace, the standard alphabet and impossible lengths. */
const isBase64url = (text: string): boolean => /^[\w-]+={0,2}$/.test(text) && unpadded(text).length % 4 !== 1;
