import {
  createPrivateKey,
  createPublicKey,
  type ED25519KeyPairOptions,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

// Node's key objects share a lock with the job that made them. Garbage collection of that job during a
// JWK export waits for the lock forever, so only PEM leaves this file.
const pem: ED25519KeyPairOptions<"pem", "pem"> = {
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
};

/** Creates a key pair for ECDSA on P-256, or for Ed25519. */
export function createKeyPair(kind: "P-256" | "Ed25519"): KeyPair {
  const { privateKey, publicKey } =
    kind === "Ed25519"
      ? generateKeyPairSync("ed25519", pem)
      : generateKeyPairSync("ec", { namedCurve: "P-256", ...pem });
  return { privateKey: createPrivateKey(privateKey), publicKey: createPublicKey(publicKey) };
}
