import type { JSONWebKeySet, JWK } from "jose";
import type { SharedKey } from "../card/card-signer.ts";

/** What the OAuth server signs with: the algorithm that every OpenID provider has to offer. */
export const tokenAlgorithm = "RS256";

/** The key that tokens are signed by: made when it is first needed, or shared with the other servers of a store. */
export class TokenKeys {
  readonly #shared: SharedKey;
  #key: Promise<JWK> | undefined;

  constructor(shared: SharedKey = (make) => make()) {
    this.#shared = shared;
  }

  async privateKeys(): Promise<{ keys: JWK[] }> {
    this.#key ??= this.#load().catch((error: unknown) => {
      // A store that was not there may be there the next time.
      this.#key = undefined;
      throw error;
    });
    return { keys: [await this.#key] };
  }

  /** As they are published. */
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
