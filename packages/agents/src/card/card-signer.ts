import type { AgentCard } from "@assay/protocol";
import type { CryptoKey, JWK } from "jose";

interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** A signing key shared by several servers; the first one creates it. */
export type SharedKey = (make: () => Promise<string>) => Promise<string>;

/**
 * Signs cards and publishes the public key. The key is created with the first card, or shared with other
 * servers.
 */
export class CardSigner {
  readonly #kid = "assay-test-bed-1";
  readonly #shared: SharedKey;
  #key: Promise<SigningKey> | undefined;

  constructor(shared: SharedKey = (make) => make()) {
    this.#shared = shared;
  }

  async sign(card: AgentCard, baseUrl: string): Promise<AgentCard> {
    const { signCard } = await import("@assay/protocol/signature");
    const { privateKey } = await this.#signingKey();
    const jku = `${baseUrl}/.well-known/jwks.json`;
    return { ...card, signatures: [await signCard(card, { key: privateKey, alg: "ES256", kid: this.#kid, jku })] };
  }

  async jwks(): Promise<string> {
    const { publicJwk } = await this.#signingKey();
    return JSON.stringify({ keys: [{ ...publicJwk, kid: this.#kid, use: "sig", alg: "ES256" }] });
  }

  // Created on first use: most runs never need a signed card, and startup should stay fast.
  #signingKey(): Promise<SigningKey> {
    this.#key ??= this.#load();
    return this.#key;
  }

  async #load(): Promise<SigningKey> {
    const { exportJWK, generateKeyPair, importJWK } = await import("jose");
    const made = await this.#shared(async () => {
      const { privateKey } = await generateKeyPair("ES256", { extractable: true });
      return JSON.stringify(await exportJWK(privateKey));
    });
    const { d, ...publicJwk } = JSON.parse(made) as JWK;
    // An elliptic curve key is imported as a key object, never as bytes.
    const privateKey = (await importJWK({ ...publicJwk, ...(d === undefined ? {} : { d }) }, "ES256")) as CryptoKey;
    return { privateKey, publicJwk };
  }
}
