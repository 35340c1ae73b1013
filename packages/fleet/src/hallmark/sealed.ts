import { jsonIn } from "@assay/protocol";
import { CompactSign, compactVerify } from "jose";
import type { SigningKey, TrustedKey } from "./keys.ts";
import { isMembers } from "./reading.ts";

/** The order of the curve P-256. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * Returns true if an ES256 signature has the lower of its two valid values of s. If (r, s) is valid, (r, order - s) is
 * too, and anyone can compute it. Accepting only one of them means that no byte of a signed document can change, not
 * even in the signature.
 */
const isLowS = (signature: Uint8Array): boolean => sOf(signature) <= order / 2n;

export function lowS(signature: Uint8Array): Uint8Array {
  if (isLowS(signature)) return signature;
  const s = (order - sOf(signature)).toString(16).padStart(64, "0");
  return new Uint8Array([...signature.subarray(0, 32), ...Buffer.from(s, "hex")]);
}

const sOf = (signature: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(signature.subarray(32)).toString("hex") || "0"}`);

/** The kinds of signed documents. One kind never verifies as another. */
type SealType = "assay-hallmark+jwt" | "assay-revocations+jwt";

/** The reasons why a text was not signed by a trusted key. */
const sealFaults = ["malformed", "other-type", "unsupported-algorithm", "unknown-key", "mismatch"] as const;
export type SealFault = (typeof sealFaults)[number];

export type Unsealed =
  | { readonly is: "genuine"; readonly payload: unknown; readonly key: TrustedKey }
  | { readonly is: "not-genuine"; readonly code: SealFault; readonly because: string };

/** Signs a payload as a compact JWS (RFC 7515), on its own line. */
export async function sealed(typ: SealType, payload: object, { key, alg, kid }: SigningKey): Promise<string> {
  const jws = await new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg, kid, typ })
    .sign(key);
  const [header, body, signature] = jws.split(".");
  const bytes = Buffer.from(signature!, "base64url");
  return `${header}.${body}.${Buffer.from(alg === "ES256" ? lowS(bytes) : bytes).toString("base64url")}\n`;
}

/** Maximum length; even a list of a hundred thousand revocations is shorter. */
const mostCharacters = 20_000_000;

/**
 * Returns the content that a trusted key signed, or the reason why the signature is not valid. Nothing in the text counts
 * before that: the key decides how to verify, and only one encoding of the same content is valid.
 */
export async function unsealed(text: string, typ: SealType, keys: readonly TrustedKey[]): Promise<Unsealed> {
  const not = (code: SealFault, because: string): Unsealed => ({ is: "not-genuine", code, because });
  const parts = partsOf(text);
  if (!parts)
    return not("malformed", "it is not a signed document: three base64url parts separated by dots, on one line");
  const header = jsonIn(Buffer.from(parts[0], "base64url"));
  if (!isMembers(header, ["alg", "kid", "typ"]))
    return not("malformed", "its head does not have alg, kid and typ, and those alone");
  if (header["typ"] !== typ) return not("other-type", `it is not of the type ${typ}`);
  if (header["alg"] !== "EdDSA" && header["alg"] !== "ES256")
    return not("unsupported-algorithm", "it claims an algorithm by which no hallmark is signed");
  const key = keys.find(({ kid }) => kid === header["kid"]);
  if (!key) return not("unknown-key", "you do not trust the key that it names");
  if (key.alg !== header["alg"])
    return not("unsupported-algorithm", `it claims another algorithm than its key has, ${key.alg}`);
  const isSigned = await compactVerify(parts.join("."), key.key, { algorithms: [key.alg] }).then(
    () => key.alg !== "ES256" || isLowS(Buffer.from(parts[2], "base64url")),
    () => false,
  );
  if (!isSigned) return not("mismatch", "the signature does not fit: it was changed, or never signed with that key");
  return { is: "genuine", payload: jsonIn(Buffer.from(parts[1], "base64url")), key };
}

/** Returns head, payload and signature if each has its only valid encoding. */
function partsOf(text: string): [string, string, string] | undefined {
  if (text.length > mostCharacters) return undefined;
  const [head, payload, signature, ...more] = text.replace(/\n$/, "").split(".");
  const isCanonical = (part: string | undefined): part is string =>
    part !== undefined && part !== "" && Buffer.from(part, "base64url").toString("base64url") === part;
  return isCanonical(head) && isCanonical(payload) && isCanonical(signature) && more.length === 0
    ? [head, payload, signature]
    : undefined;
}
