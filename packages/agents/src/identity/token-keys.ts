import type { JSONWebKeySet, JWK } from "jose";
import type { SharedKey } from "../card/card-signer.ts";

/** The signing algorithm that every OpenID provider must support. */
export const tokenAlgorithm = "RS256";

/** The key that signs tokens: created on first use, or shared with the other servers of a store. */
export class TokenKeys {
  readonly #shared: SharedKey;
  #key: Promise<JWK> | undefined;

  constructor(shared: SharedKey = (make) => make()) {
    this.#shared = shared;
  }

  async privateKeys(): Promise<{ keys: JWK[] }> {
    this.#key ??= this.#load().catch((error: unknown) => {
      // An unavailable store may be available the next time.
      this.#key = undefined;
      throw error;
    });
    return { keys: [await this.#key] };
  }

  /** Returns the published keys. */
  async publicKeys(): Promise<JSONWebKeySet> {
    const { keys } = await this.privateKeys();
    return { keys: keys.map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use }) as JWK) };
  }

  async #load(): Promise<JWK> {
    const made = await this.#shared(async () => {
      const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import("jose");
      const { privateKey } = await generateKeyPair(tokenAlgorithm, { extractable: true });
      const jwk = await exportJWK(privateKey);
      const named = { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: tokenAlgorithm, use: "sig" };
      return JSON.stringify(named);
    });
    return JSON.parse(made) as JWK;
  }
}
