import { type AgentCard, signCard } from "@assay/protocol";
import { exportJWK, generateKeyPair } from "jose";

/** Signs cards with a key made at start-up, and publishes its public half. */
export class CardSigner {
  readonly #kid = "assay-test-bed-1";
  #keys: ReturnType<typeof generateKeyPair> | undefined;

  async sign(card: AgentCard, baseUrl: string): Promise<AgentCard> {
    const { privateKey } = await this.#pair();
    const jku = `${baseUrl}/.well-known/jwks.json`;
    return { ...card, signatures: [await signCard(card, { key: privateKey, alg: "ES256", kid: this.#kid, jku })] };
  }

  async jwks(): Promise<string> {
    const jwk = await exportJWK((await this.#pair()).publicKey);
    return JSON.stringify({ keys: [{ ...jwk, kid: this.#kid, use: "sig", alg: "ES256" }] });
  }

  // Made on first use: most runs never ask for a signed card, and a start should cost nothing.
  #pair(): ReturnType<typeof generateKeyPair> {
    this.#keys ??= generateKeyPair("ES256");
    return this.#keys;
  }
}
