import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { jsonIn } from "@assay/protocol";
import { AssayError } from "@assay/protocol/assay-error";
import { createKeyPair } from "@assay/wire/key-pair";
import { calculateJwkThumbprint, type JWK } from "jose";

/** The signature algorithms of hallmarks. The key decides which one applies, never the signed content. */
export const signatureAlgorithms = ["EdDSA", "ES256"] as const;
export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

/** A key with its thumbprint (RFC 7638) as its name. Other names in key files are ignored. */
interface NamedKey {
  readonly kid: string;
  readonly alg: SignatureAlgorithm;
  readonly key: KeyObject;
}

/** The operator's private key, with its public half. */
export interface SigningKey extends NamedKey {
  readonly use: "sign";
  readonly trusted: TrustedKey;
}

/** A public key whose signatures Assay trusts. */
export interface TrustedKey extends NamedKey {
  readonly use: "verify";
  readonly jwk: JWK;
}

/** Creates the error for an unusable key; its message contains nothing of the key. */
const keyRefused = (message: string): AssayError => new AssayError({ code: "key-refused", message });

const kinds = "a key of Ed25519, or of the curve P-256";

/** Reads the operator's private key, in PEM or as a JWK. */
export async function readSigningKey(text: string): Promise<SigningKey> {
  const jwk = jsonIn(text);
  if (!isPrivate(text, jwk)) throw keyRefused("it is not a private key in PEM or JWK format");
  return signing(attempt(() => (jwk ? createPrivateKey(inJwk(jwk)) : createPrivateKey(text))));
}

/** Reads the trusted public keys from PEM, a JWK or a JWKS. Skips keys of a JWKS that cannot sign hallmarks. */
export async function readTrustedKeys(text: string): Promise<TrustedKey[]> {
  const json = jsonIn(text);
  if (isPrivate(text, json))
    throw keyRefused("it holds a private key: keep that to yourself, and give its public half");
  const listed = keysIn(json);
  if (!listed) return [await trusted(attempt(() => (json ? createPublicKey(inJwk(json)) : createPublicKey(text))))];
  const read = await Promise.all(listed.map((each) => usable(each)));
  const keys = read.filter((key) => key !== undefined);
  if (keys.length === 0) throw keyRefused(`it holds no key that signs hallmarks: ${kinds}`);
  return keys;
}

/** Generates a key in PEM, and the JWKS that others verify with. */
export async function generateSigningKey(alg: SignatureAlgorithm): Promise<{ pem: string; jwks: { keys: JWK[] } }> {
  const { privateKey } = createKeyPair(alg === "EdDSA" ? "Ed25519" : "P-256");
  const { trusted: half } = await signing(privateKey);
  return { pem: privateKey.export({ type: "pkcs8", format: "pem" }) as string, jwks: jwksOf([half]) };
}

/** Returns the public keys as a JWKS for everyone who verifies. */
export const jwksOf = (keys: readonly TrustedKey[]): { keys: JWK[] } => ({ keys: keys.map(({ jwk }) => jwk) });

async function signing(key: KeyObject): Promise<SigningKey> {
  const half = await trusted(createPublicKey(key));
  return { use: "sign", kid: half.kid, alg: half.alg, key, trusted: half };
}

async function trusted(key: KeyObject): Promise<TrustedKey> {
  const alg = algorithmOf(key);
  if (!alg) throw keyRefused(`it is ${key.asymmetricKeyType ?? "some other key"}; hallmarks need ${kinds}`);
  const bare = key.export({ format: "jwk" }) as JWK;
  const kid = await calculateJwkThumbprint(bare);
  return { use: "verify", kid, alg, key, jwk: { ...bare, kid, alg, use: "sig" } };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): SignatureAlgorithm | undefined {
  if (asymmetricKeyType === "ed25519") return "EdDSA";
  return asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1" ? "ES256" : undefined;
}

const usable = async (jwk: unknown): Promise<TrustedKey | undefined> => {
  try {
    return await trusted(createPublicKey(inJwk(jwk)));
  } catch {
    return undefined;
  }
};

const inJwk = (jwk: unknown) => ({ key: jwk as JsonWebKey, format: "jwk" as const });

const keysIn = (json: unknown): readonly unknown[] | undefined => {
  const keys = (json as { readonly keys?: unknown } | undefined)?.keys;
  return Array.isArray(keys) ? keys : undefined;
};

/** Detects private keys, because Node silently accepts one where a public key is expected. */
const isPrivate = (text: string, json: unknown): boolean =>
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text) ||
  [json, ...(keysIn(json) ?? [])].some((each) => typeof each === "object" && each !== null && "d" in each);

/** Replaces the library's error for an unreadable key, because its message may quote the key. */
function attempt(read: () => KeyObject): KeyObject {
  try {
    return read();
  } catch {
    throw keyRefused(`it cannot be read: give ${kinds}, in PEM without a passphrase, or as a JWK`);
  }
}
